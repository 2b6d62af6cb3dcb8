/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import io.github.rabbitretry.topology.DelayRoute;

/**
 * Routes a delay to the queue that waits for it: a level's retry queue, or the ladder.
 */
final class DelayRouter {

	/** A delay that would take more waits than these in levels waits on the ladder. */
	private static final int MOST_WAITS = 2_000;

	private final String queue;

	private final DelayLevels levels;

	private final Map<DelayLevel, DelayRoute> toLevels = new HashMap<>();

	private final String endOfLadder;

	private final boolean jittered;

	private final int ladderLevels;

	DelayRouter(MessageTopology topology, MessageTopologyBuilder builder, DelayLevels levels) {
		this.queue = topology.queue();
		this.levels = levels;
		levels.all()
			.forEach((level) -> this.toLevels.put(level,
					new DelayRoute(topology.ringExchange(), topology.retryQueue(level), level.delay())));
		this.endOfLadder = topology.endOfLadder();
		this.jittered = builder.jittered;
		this.ladderLevels = needsLadder(builder) ? DelayLadder.levelsFor(builder.longestDelay) : 0;
	}

	private boolean needsLadder(MessageTopologyBuilder builder) {
		return builder.ring == RetryQueueScope.SHARED || !this.levels.isEmpty()
				&& (this.jittered || builder.exactDelays || this.levels.mostWaits(builder.longestDelay) > MOST_WAITS);
	}

	/** How many levels of the ladder there have to be, 0 where none is needed. */
	int ladderLevels() {
		return this.ladderLevels;
	}

	/**
	 * The level of that length, else the ladder. A level that is longer is taken where
	 * the ladder would round up to it anyway. With jitter, what is missing to a level,
	 * and what was drawn in few hops, is waited for on the ladder, and the rest in the
	 * level's own queue, where people can see it.
	 * <p>
	 * Without a ladder, the longest level that is not too long, or the shortest one: a
	 * message that comes back too early is sent on waiting.
	 */
	DelayRoute route(Duration delay) {
		if (this.ladderLevels == 0) {
			if (this.levels.isEmpty()) {
				throw new IllegalStateException("queue '%s' has nothing to wait in".formatted(this.queue));
			}
			return toLevel(this.levels.first(delay));
		}
		DelayLevel enough = this.levels.shortestFrom(delay);
		if (enough != null && enough.delay().equals(delay)) {
			return toLevel(enough);
		}
		DelayRoute onLadder = DelayLadder.route(this.endOfLadder, delay, this.ladderLevels);
		if (enough != null && enough.delay().compareTo(onLadder.delay()) <= 0) {
			return toLevel(enough);
		}
		DelayLevel before = this.jittered ? this.levels.longestWithin(delay) : null;
		if (before != null && DelayLadder.fewHops(delay.minus(before.delay()))) {
			DelayRoute first = DelayLadder.route(toLevel(before).routingKey(), delay.minus(before.delay()),
					this.ladderLevels);
			return new DelayRoute(first.exchange(), first.routingKey(), first.delay().plus(before.delay()));
		}
		return onLadder;
	}

	Duration waitingTime(Duration delay) {
		return (this.ladderLevels > 0) ? route(delay).delay() : this.levels.waitingTime(delay);
	}

	private DelayRoute toLevel(DelayLevel level) {
		return this.toLevels.get(level);
	}

}
