/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Messages that are not ready: what consumers hold, and what a quorum queue has
 * dead-lettered and is not confirmed. The management API alone counts them, as of the
 * queue's last tick. So its numbers are true once a tick must have passed in which
 * nothing was ready, and no other node became the queue's leader: that one begins at 0.
 */
final class UnsettledMessages {

	/** Quorum queues tick every 5 s, and classic queues tell their numbers as often. */
	static final Duration TICK = Duration.ofSeconds(6);

	private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

	private final List<String> queues;

	private final Function<Collection<String>, List<SeenDepth>> depths;

	private final Predicate<String> exists;

	/** Who counted at the first look, or {@code null} before it. */
	private @Nullable Map<String, String> leaders;

	private long due;

	/**
	 * Creates it.
	 * @param queues the queues
	 * @param depths looks how full queues are
	 * @param exists tells whether a queue is there
	 */
	UnsettledMessages(List<String> queues, Function<Collection<String>, List<SeenDepth>> depths,
			Predicate<String> exists) {
		this.queues = List.copyOf(queues);
		this.depths = depths;
		this.exists = exists;
	}

	/** To be called when something is ready: from then on a tick has to pass anew. */
	void begin() {
		this.leaders = null;
	}

	boolean isDue(long now) {
		return this.leaders == null || now - this.due >= 0;
	}

	/**
	 * Looks.
	 * @param now the time in nanoseconds, at which {@link #isDue(long)}
	 * @return what is in the queues, or that it is not known yet, or {@code null} if they
	 * are empty
	 */
	@Nullable String look(long now) {
		Map<String, SeenDepth> seen = this.depths.apply(this.queues)
			.stream()
			.collect(Collectors.toMap(SeenDepth::queue, Function.identity(), (one, other) -> one));
		Map<String, String> leaders = new HashMap<>();
		seen.forEach((queue, depth) -> leaders.put(queue, depth.leader()));
		boolean same = leaders.equals(this.leaders);
		this.leaders = leaders;
		this.due = now + (same ? BETWEEN_LOOKS : TICK).toNanos();
		for (String queue : this.queues) {
			SeenDepth depth = seen.get(queue);
			// a node that does not answer leaves its queues out of the list
			if ((depth == null) ? this.exists.test(queue) : !same || depth.messages() < 0) {
				return "How many messages of queue '%s' are not acknowledged is not known yet".formatted(queue);
			}
			if (depth != null && depth.messages() > 0) {
				return "Queue '%s' is not empty: %d messages are with consumers, or dead-lettered and not confirmed"
					.formatted(queue, depth.messages());
			}
		}
		return null;
	}

}
