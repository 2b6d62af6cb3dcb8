/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.simulation;

import java.util.Arrays;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * What is going to happen, by time and then in the order in which it was added. Only the
 * current second is kept sorted: with one heap for all, a day of waiting messages takes
 * five times as long.
 */
final class EventQueue {

	private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

	private @Nullable SimulatedMessage[] later = new SimulatedMessage[4096];

	private final PriorityQueue<SimulatedMessage> soon = new PriorityQueue<>();

	private int second;

	private int size;

	private long added;

	void add(SimulatedMessage message, long due) {
		message.due = due;
		message.sequence = this.added++;
		this.size++;
		int of = (int) (due / SECOND);
		if (of <= this.second) {
			this.soon.add(message);
			return;
		}
		if (of >= this.later.length) {
			this.later = Arrays.copyOf(this.later, Math.max(of + 1, 2 * this.later.length));
		}
		message.next = this.later[of];
		this.later[of] = message;
	}

	/**
	 * When something happens next.
	 * @return nanoseconds, or {@link Long#MAX_VALUE} if nothing does
	 */
	long due() {
		while (this.soon.isEmpty() && this.size > 0) {
			this.second++;
			SimulatedMessage message = this.later[this.second];
			this.later[this.second] = null;
			while (message != null) {
				SimulatedMessage next = message.next;
				message.next = null;
				this.soon.add(message);
				message = next;
			}
		}
		return this.soon.isEmpty() ? Long.MAX_VALUE : this.soon.element().due;
	}

	SimulatedMessage take() {
		this.size--;
		return Objects.requireNonNull(this.soon.poll(), "something is due");
	}

}
