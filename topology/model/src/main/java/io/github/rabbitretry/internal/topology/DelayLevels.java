/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

/**
 * The delay levels of a message type, and delays that are composed of them: a message
 * waits in the longest level that is not too long by more than a moment, is sent on
 * waiting for the rest, and comes last from the shortest level, whatever is left.
 */
final class DelayLevels {

	private static final long MOST_SLACK = Duration.ofSeconds(1).toNanos();

	private final TreeSet<DelayLevel> levels = new TreeSet<>();

	DelayLevels(Collection<Duration> delays) {
		delays.forEach((delay) -> this.levels.add(new DelayLevel(delay)));
	}

	List<DelayLevel> all() {
		return List.copyOf(this.levels);
	}

	boolean isEmpty() {
		return this.levels.isEmpty();
	}

	@Nullable DelayLevel shortestFrom(Duration delay) {
		return this.levels.ceiling(DelayLevel.ofAtLeast(delay));
	}

	@Nullable DelayLevel longestWithin(Duration delay) {
		return this.levels.floor(DelayLevel.ofAtLeast(delay));
	}

	DelayLevel first(Duration delay) {
		DelayLevel within = longestWithin(delay.plusNanos(slack(delay.toNanos())));
		return (within != null) ? within : this.levels.first();
	}

	/**
	 * How much later a message may be than it has to. Each way back takes some
	 * milliseconds: without a slack, twice a level would be that level once, and then
	 * many shorter ones.
	 */
	private static long slack(long nanos) {
		return Math.min(nanos / 50, MOST_SLACK);
	}

	/**
	 * How often a message waits at most.
	 * @param longest the longest delay that is composed
	 * @return the number of waits
	 */
	long mostWaits(Duration longest) {
		long waits = 1;
		long rest = longest.toMillis();
		for (DelayLevel level : this.levels.descendingSet()) {
			waits += rest / level.delay().toMillis();
			rest = Math.min(rest, level.delay().toMillis());
		}
		return waits;
	}

	/**
	 * How long a message waits altogether.
	 * @param delay how long it has to
	 * @return the delay, or more by less than the shortest level or a second
	 */
	Duration waitingTime(Duration delay) {
		long rest = delay.toNanos();
		for (DelayLevel level : this.levels.descendingSet()) {
			long waits = level.delay().toNanos();
			rest %= waits;
			if (rest + slack(rest) >= waits) {
				return delay.minusNanos(rest).plusNanos(waits);
			}
		}
		return (rest == 0) ? delay : delay.minusNanos(rest).plus(this.levels.first().delay());
	}

}
