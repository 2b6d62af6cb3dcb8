/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.util.Map;
import java.util.Optional;

import com.rabbitmq.client.DefaultConsumer;

/**
 * Finds out whether a queue is a stream, by consuming it with an argument that streams
 * refuse and one that all others refuse (RabbitMQ 4.0 to 4.3). So nothing is ever
 * delivered, the broker closes the channel and says which argument it was. It takes the
 * permission to read the queue, which its consumers have.
 */
public final class StreamProbe {

	/**
	 * What makes no difference to a queue, and what a stream refuses to be consumed with.
	 * Otherwise a stream would deliver what is appended to it from then on, to be lost at
	 * the next consumer.
	 */
	public static final Map<String, Object> NO_STREAM = Map.of("x-priority", 0);

	private static final Map<String, Object> NEITHER = Map.of("x-priority", 0, "x-stream-offset", "next");

	private StreamProbe() {
	}

	/**
	 * Has the broker refuse a consumer.
	 * @param queue the queue
	 * @param channel closed by the broker
	 * @return {@code false} also if there is no such queue, or it may not be read
	 */
	public static boolean isStream(String queue, RefusableChannel channel) {
		return refusal(queue, channel).filter((refusal) -> refusal.text().contains("invalid arg 'x-priority'"))
			.isPresent();
	}

	static Optional<RefusableChannel.Refusal> refusal(String queue, RefusableChannel channel) {
		return channel.attempt((open) -> {
			open.basicConsume(queue, false, NEITHER, new DefaultConsumer(open));
			open.abort();
		});
	}

}
