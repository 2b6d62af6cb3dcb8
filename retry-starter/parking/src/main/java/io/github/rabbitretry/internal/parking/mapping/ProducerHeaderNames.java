/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.mapping;

import java.util.List;

/**
 * In which headers producers write what AMQP has no property for. Of each list, the first
 * header that is there counts.
 *
 * @param aggregateId which business entity is affected
 * @param correlationId what belongs together, where the property is not set
 * @param causationId which message caused this one
 * @param schemaVersion which version of the payload's schema
 * @param producer who sent it, where the property {@code app-id} is not set
 */
public record ProducerHeaderNames(List<String> aggregateId, List<String> correlationId, List<String> causationId,
		List<String> schemaVersion, List<String> producer) {

	public ProducerHeaderNames {
		aggregateId = List.copyOf(aggregateId);
		correlationId = List.copyOf(correlationId);
		causationId = List.copyOf(causationId);
		schemaVersion = List.copyOf(schemaVersion);
		producer = List.copyOf(producer);
	}

}
