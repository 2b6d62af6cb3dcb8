/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.depth;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Remembers since when queues have not been seen empty: the broker tells how many
 * messages wait, and not since when.
 */
public final class DepthWatch {

	private final Supplier<Map<String, Long>> depths;

	private final InstantSource clock;

	private final Map<String, Instant> since = new HashMap<>();

	/**
	 * Creates the watch.
	 * @param depths asks for the number of messages by queue
	 * @param clock what time it is
	 */
	public DepthWatch(Supplier<Map<String, Long>> depths, InstantSource clock) {
		this.depths = depths;
		this.clock = clock;
	}

	/**
	 * Looks at the queues.
	 * @return what was seen, for queues that have messages
	 */
	public synchronized Map<String, Seen> look() {
		Map<String, Long> now = this.depths.get();
		Instant at = this.clock.instant();
		this.since.keySet().removeIf((queue) -> now.getOrDefault(queue, 0L) == 0);
		Map<String, Seen> seen = new HashMap<>();
		now.forEach((queue, messages) -> {
			if (messages > 0) {
				seen.put(queue, new Seen(messages, this.since.computeIfAbsent(queue, (ignored) -> at)));
			}
		});
		return seen;
	}

	/**
	 * A queue that is not empty.
	 *
	 * @param messages how many messages
	 * @param since when it was first seen like that
	 */
	public record Seen(long messages, Instant since) {

		/**
		 * How long it has not been empty.
		 * @param now what time it is
		 * @param most more than this can't be, or {@code null}
		 * @return the time
		 */
		public Duration age(Instant now, @Nullable Duration most) {
			Duration age = Duration.between(this.since, now);
			return (most != null && age.compareTo(most) > 0) ? most : age;
		}

	}

}
