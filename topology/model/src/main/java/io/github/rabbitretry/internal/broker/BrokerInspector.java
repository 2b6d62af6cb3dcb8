/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.broker;

import java.util.Collection;

import io.github.rabbitretry.internal.topology.MessageTopology;

/**
 * Judges by its management API what a broker does with topologies. A bean of
 * rabbit-retry-operations: AMQP shows nothing of it.
 */
public interface BrokerInspector {

	/**
	 * Called for each broker before anything is declared or verified there; when all of
	 * it is, the inspector goes on by itself.
	 * @param broker the broker
	 * @param topologies what the application needs there
	 * @throws RuntimeException if the application must not start
	 */
	void beforeDeclaration(BrokerAccess broker, Collection<MessageTopology> topologies);

}
