/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.handover.BrokerText;
import org.jspecify.annotations.Nullable;

/**
 * Waits until queues are empty. What is ready, a channel tells at once. What consumers
 * hold, and what a quorum queue has dead-lettered and is not confirmed,
 * {@link UnsettledMessages} tells.
 */
final class EmptyQueues {

	private static final long PAUSE = 250_000_000;

	/** As many messages as there are at the beginning are an end by themselves. */
	private static final Duration UNBOUNDED = Duration.ofDays(1);

	private final Channel channel;

	private final LiveTopologyReader reader;

	private final MessageMover mover;

	/** Where messages were moved, of the queues of which they are. */
	private final Map<String, String> moves = new HashMap<>();

	EmptyQueues(Channel channel, LiveTopologyReader reader, MessageMover mover) {
		this.channel = channel;
		this.reader = reader;
		this.mover = mover;
	}

	void move(String from, String into, boolean rest, Duration longest) {
		this.moves.put(from, into);
		this.mover.move(from, into, rest ? Long.MAX_VALUE : ready(from), rest ? longest : UNBOUNDED);
	}

	/**
	 * Waits.
	 * @param queues the queues; those that are not there are empty
	 * @param patience how long
	 * @throws MigrationException if it takes longer
	 */
	void await(List<String> queues, Duration patience) {
		long deadline = System.nanoTime() + patience.plus(UnsettledMessages.TICK).toNanos();
		List<String> there = new ArrayList<>(queues);
		there.removeIf((queue) -> this.reader.queue(queue).isEmpty());
		UnsettledMessages unsettled = new UnsettledMessages(there, this.reader::depths,
				(queue) -> this.reader.queue(queue).isPresent());
		while (true) {
			String filled = filled(there, Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
			long now = System.nanoTime();
			if (filled != null) {
				unsettled.begin();
			}
			else if (unsettled.isDue(now)) {
				filled = unsettled.look(now);
				if (filled == null) {
					return;
				}
			}
			if (now - deadline > 0 && filled != null) {
				throw new MigrationException("%s. Apply the rest later.".formatted(filled));
			}
			LockSupport.parkNanos(PAUSE);
			if (Thread.currentThread().isInterrupted()) {
				throw new MigrationException("interrupted");
			}
		}
	}

	private @Nullable String filled(List<String> queues, Duration left) {
		String filled = null;
		for (String queue : queues) {
			long ready = ready(queue);
			if (ready > 0) {
				String into = this.moves.get(queue);
				if (into != null) {
					this.mover.move(queue, into, Long.MAX_VALUE, left);
				}
				filled = "Queue '%s' is not empty: %d messages are ready".formatted(queue, ready);
			}
		}
		return filled;
	}

	private long ready(String queue) {
		try {
			return this.channel.messageCount(queue);
		}
		catch (IOException | ShutdownSignalException ex) {
			throw new MigrationException("Queue '%s' can't be looked at: %s".formatted(queue, BrokerText.of(ex)), ex);
		}
	}

}
