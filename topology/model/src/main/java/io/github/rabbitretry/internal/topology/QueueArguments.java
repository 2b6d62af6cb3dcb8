/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import java.util.HashMap;
import java.util.Map;

/**
 * The arguments that queues have by their type.
 */
final class QueueArguments {

	private static final int NO_LIMIT = -1;

	private QueueArguments() {
	}

	/**
	 * The type, and that a full queue refuses messages. No queue of ours has a length
	 * limit, but a policy may set one, and the broker's default overflow behavior drops
	 * the oldest messages then.
	 * @param type the type
	 * @return a map to be added to
	 */
	static Map<String, Object> of(QueueType type) {
		Map<String, Object> arguments = new HashMap<>();
		arguments.put("x-queue-type", (type == QueueType.QUORUM) ? "quorum" : "classic");
		arguments.put("x-overflow", "reject-publish");
		return arguments;
	}

	/**
	 * Arguments that send dead letters on with the routing key they have, at least once
	 * where the type can: without {@code reject-publish} the broker falls back to
	 * at-most-once, and says so in its log alone.
	 * @param type the type
	 * @param exchange where dead letters go
	 * @return a map to be added to
	 */
	static Map<String, Object> deadLettering(QueueType type, String exchange) {
		Map<String, Object> arguments = of(type);
		arguments.put("x-dead-letter-exchange", exchange);
		if (type == QueueType.QUORUM) {
			arguments.put("x-dead-letter-strategy", "at-least-once");
		}
		return arguments;
	}

	/**
	 * Arguments of a queue without consumers. 4.x would drop a message after 20 returns,
	 * each peek of an operator being one.
	 * @param type the type
	 * @return a map to be added to
	 */
	static Map<String, Object> storage(QueueType type) {
		Map<String, Object> arguments = of(type);
		if (type == QueueType.QUORUM) {
			arguments.put("x-delivery-limit", NO_LIMIT);
		}
		return arguments;
	}

	/**
	 * Arguments of a queue whose messages are moved on under another name once they were
	 * delivered too often, where the type counts that.
	 * @param type the type
	 * @param exchange where dead letters go
	 * @param routingKey their new routing key
	 * @param limit how often a message may be delivered and not be settled
	 * @return a map to be added to
	 */
	static Map<String, Object> limited(QueueType type, String exchange, String routingKey, int limit) {
		Map<String, Object> arguments = deadLettering(type, exchange);
		arguments.put("x-dead-letter-routing-key", routingKey);
		if (type == QueueType.QUORUM) {
			arguments.put("x-delivery-limit", limit);
		}
		return arguments;
	}

	/**
	 * The same, and that one consumer at a time gets messages: the next one when that is
	 * gone.
	 * @param arguments the arguments
	 * @return a map to be added to
	 */
	static Map<String, Object> singleActiveConsumer(Map<String, Object> arguments) {
		Map<String, Object> ordered = new HashMap<>(arguments);
		ordered.put("x-single-active-consumer", true);
		return ordered;
	}

}
