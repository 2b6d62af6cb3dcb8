/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.nio.charset.StandardCharsets;

import io.github.rabbitretry.internal.policy.RejectionTarget;
import io.github.rabbitretry.internal.topology.MessageTopology;
import org.jspecify.annotations.Nullable;

/**
 * Where rejections of one policy go, checked when it is read.
 */
final class RejectionValidator {

	private final PolicyValidator values;

	private final PolicyProperties.RejectionProperties rejection;

	RejectionValidator(PolicyValidator values) {
		this.values = values;
		this.rejection = values.properties().rejection();
	}

	@Nullable RejectionTarget target(String queue) {
		String exchange = this.rejection.exchange();
		if (exchange == null) {
			if (this.rejection.routingKey() != null) {
				throw this.values.invalid("rejection.routing-key", this.rejection.routingKey(),
						"needs an exchange to publish to", "Set rejection.exchange too, or remove the routing key.");
			}
			return null;
		}
		if (exchange.getBytes(StandardCharsets.UTF_8).length > MessageTopology.LONGEST_NAME
				|| exchange.startsWith("amq.")) {
			throw this.values.invalid("rejection.exchange", exchange,
					"must be at most %d bytes and not start with 'amq.'".formatted(MessageTopology.LONGEST_NAME),
					"Give it another name; it is declared as a topic exchange.");
		}
		String key = (this.rejection.routingKey() != null) ? this.rejection.routingKey() : queue + ".rejected";
		if (key.getBytes(StandardCharsets.UTF_8).length > 255) {
			throw this.values.invalid("rejection.routing-key", key, "must be at most 255 bytes", "Set a shorter one.");
		}
		return new RejectionTarget(this.values.text("rejection.exchange", exchange), key, this.rejection.mandatory());
	}

}
