/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.topology;

import java.util.HashMap;
import java.util.Map;

/**
 * The arguments of queues that dead-letter.
 */
final class QueueArguments {

	private QueueArguments() {
	}

	/**
	 * Arguments that name the type alone.
	 * @param type the type
	 * @return a map to be added to
	 */
	static Map<String, Object> of(QueueType type) {
		Map<String, Object> arguments = new HashMap<>();
		arguments.put("x-queue-type", (type == QueueType.QUORUM) ? "quorum" : "classic");
		return arguments;
	}

	/**
	 * Arguments that send dead letters on with the routing key they have, at least once
	 * where the type can.
	 * @param type the type
	 * @param exchange where dead letters go
	 * @return a map to be added to
	 */
	static Map<String, Object> deadLettering(QueueType type, String exchange) {
		Map<String, Object> arguments = of(type);
		arguments.put("x-dead-letter-exchange", exchange);
		if (type == QueueType.QUORUM) {
			arguments.put("x-dead-letter-strategy", "at-least-once");
			// without it the broker falls back to at-most-once, and says so nowhere
			arguments.put("x-overflow", "reject-publish");
		}
		return arguments;
	}

}
