/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import io.github.rabbitretry.internal.topology.QueueModel;
import io.github.rabbitretry.internal.topology.QueueRole;

/**
 * A key that a policy has to give a queue, and none does.
 *
 * @param queue the queue
 * @param key the policy's key
 */
record MissingKey(QueueModel queue, String key) {

	String consequence() {
		boolean retry = this.queue.role() == QueueRole.RETRY;
		return switch (this.key) {
			case "message-ttl" -> "messages wait for ever";
			case "dead-letter-exchange" ->
				retry ? "messages that have waited are deleted" : "what RabbitMQ dead-letters is deleted";
			case "dead-letter-routing-key" ->
				"dead letters keep the routing key that they came with, which leads nowhere";
			case "delivery-limit" -> "RabbitMQ's own limit of 20 deliveries is in effect";
			case "overflow" -> QueueKeys.overflowConsequence(this.queue.role());
			default -> "dead-lettering is at most once";
		};
	}

}
