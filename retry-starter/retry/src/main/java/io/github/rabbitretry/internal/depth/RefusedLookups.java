/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.depth;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers which queues the broker did not report on, and when to ask again: each
 * refusal is the end of a channel, and an error in the broker's log.
 */
final class RefusedLookups {

	static final Duration FIRST = Duration.ofMinutes(1);

	static final Duration LONGEST = Duration.ofMinutes(5);

	private final Map<String, Refusal> refused = new ConcurrentHashMap<>();

	/**
	 * Whether to ask.
	 * @param queue about which queue
	 * @param now what time it is
	 * @return whether it was answered last, or its time has come
	 */
	boolean due(String queue, Instant now) {
		Refusal last = this.refused.get(queue);
		return last == null || !now.isBefore(last.nextAt);
	}

	void remove(String queue) {
		this.refused.remove(queue);
	}

	void add(String queue, Instant now) {
		this.refused.compute(queue, (name, last) -> {
			Duration pause = (last != null) ? last.pause.multipliedBy(2) : FIRST;
			Duration bounded = (pause.compareTo(LONGEST) > 0) ? LONGEST : pause;
			return new Refusal(now.plus(bounded), bounded);
		});
	}

	private record Refusal(Instant nextAt, Duration pause) {
	}

}
