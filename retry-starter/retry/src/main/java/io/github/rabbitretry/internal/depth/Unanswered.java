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
 * Remembers which questions were refused, and when to ask again: each is the end of a
 * channel, and an error in the broker's log.
 */
final class Unanswered {

	static final Duration FIRST = Duration.ofMinutes(1);

	static final Duration LONGEST = Duration.ofMinutes(30);

	private final Map<String, Refusal> unanswered = new ConcurrentHashMap<>();

	/**
	 * Whether to ask.
	 * @param queue of which queue, or who else is asked
	 * @param now what time it is
	 * @return whether it was answered last, or its time has come
	 */
	boolean due(String queue, Instant now) {
		Refusal last = this.unanswered.get(queue);
		return last == null || !now.isBefore(last.nextAt);
	}

	/**
	 * Whether the user may not ask.
	 * @param queue of which queue, or who else is asked
	 * @return whether that was so when it was asked last
	 */
	boolean notPermitted(String queue) {
		Refusal last = this.unanswered.get(queue);
		return last != null && last.notPermitted;
	}

	/**
	 * Remembers an answer.
	 * @param queue of which queue
	 */
	void answered(String queue) {
		this.unanswered.remove(queue);
	}

	/**
	 * Remembers that there was no answer.
	 * @param queue of which queue
	 * @param notPermitted whether the user may not ask, else there is none
	 * @param now what time it is
	 * @return whether it is the first time
	 */
	boolean refused(String queue, boolean notPermitted, Instant now) {
		Refusal last = this.unanswered.get(queue);
		Duration pause = (last != null) ? last.pause.multipliedBy(2) : FIRST;
		Duration bounded = (pause.compareTo(LONGEST) > 0) ? LONGEST : pause;
		this.unanswered.put(queue, new Refusal(now.plus(bounded), bounded, notPermitted));
		return last == null;
	}

	private record Refusal(Instant nextAt, Duration pause, boolean notPermitted) {
	}

}
