/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.QueueRole;

/**
 * A key that a policy has to give a queue, and none does.
 *
 * @param queue the queue
 * @param key the policy's key
 */
record MissingKey(QueueDefinition queue, String key) {

	/** Whether what is in the queue does not come back to the work queue. */
	boolean noWayBack() {
		return this.queue.role() == QueueRole.RETRY && (this.key.equals("message-ttl") || isRoute(this.key));
	}

	/**
	 * Whether a key says where dead letters go.
	 * @param key a policy's key
	 * @return {@code true} if they go elsewhere without it
	 */
	static boolean isRoute(String key) {
		return key.equals("dead-letter-exchange") || key.equals("dead-letter-routing-key");
	}

	String consequence() {
		boolean retry = this.queue.role() == QueueRole.RETRY;
		return switch (this.key) {
			case "message-ttl" -> "messages wait for ever";
			case "dead-letter-exchange" ->
				retry ? "messages that have waited are deleted" : "what RabbitMQ dead-letters is deleted";
			case "dead-letter-routing-key" ->
				"dead letters keep the routing key that they came with, which leads nowhere";
			case "delivery-limit" -> "RabbitMQ's own limit of 20 deliveries is in effect";
			case "overflow" -> QueuePolicyEvaluator.overflowConsequence(this.queue.role());
			default -> "dead-lettering is at most once";
		};
	}

}
