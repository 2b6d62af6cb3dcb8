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

}
