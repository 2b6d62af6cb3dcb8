/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;

import com.rabbitmq.client.AMQP;

/**
 * Finds out whether a queue is a stream, by declaring it as one: RabbitMQ refuses that,
 * with the first argument in which it differs. Nothing is ever created, since the age is
 * no age. Without permission to configure the queue nobody can tell.
 */
final class StreamProbe {

	/** Compared for streams only. */
	private static final Set<String> OF_STREAMS = Set.of("x-max-age", "x-stream-max-segment-size-bytes",
			"x-stream-filter-size-bytes", "x-initial-cluster-size");

	/** Both streams and others may have them. */
	private static final Set<String> OF_BOTH = Set.of("x-max-length-bytes", "x-queue-leader-locator");

	private final DeclaringChannel channel;

	StreamProbe(DeclaringChannel channel) {
		this.channel = channel;
	}

	boolean isStream(String queue) {
		Map<String, Object> arguments = new HashMap<>(Map.of("x-queue-type", "stream", "x-max-age", "no age"));
		for (int attempt = 0; attempt <= OF_BOTH.size(); attempt++) {
			Optional<DeclaringChannel.Refusal> refusal = this.channel
				.attempt((channel) -> channel.queueDeclare(queue, true, false, false, arguments));
			if (refusal.isEmpty()) {
				return true;
			}
			Matcher current = QueueArgumentProbe.CURRENT.matcher(refusal.get().text());
			if (refusal.get().code() != AMQP.PRECONDITION_FAILED || !current.find()) {
				return false;
			}
			if (!OF_BOTH.contains(current.group(1))) {
				return OF_STREAMS.contains(current.group(1));
			}
			Object value = QueueArgumentProbe.value(current);
			if (value == null) {
				return false;
			}
			arguments.put(current.group(1), value);
		}
		return false;
	}

}
