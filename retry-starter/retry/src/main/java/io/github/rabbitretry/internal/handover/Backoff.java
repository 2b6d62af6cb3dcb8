/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Delays that double up to a bound.
 */
final class Backoff {

	private final long first;

	private final long last;

	/** How far a delay may be off, as a part of it. */
	private final double jitter;

	private long delay;

	private long dueAt = System.nanoTime();

	Backoff(Duration first, Duration last, double jitter) {
		this.first = first.toNanos();
		this.last = Math.max(this.first, last.toNanos());
		this.jitter = jitter;
		this.delay = this.first;
	}

	/**
	 * The next delay.
	 * @return nanoseconds
	 */
	synchronized long next() {
		long next = (this.jitter == 0) ? this.delay
				: (long) (this.delay * ThreadLocalRandom.current().nextDouble(1 - this.jitter, 1 + this.jitter));
		this.delay = Math.min(2 * this.delay, this.last);
		return next;
	}

	boolean due() {
		return remaining() <= 0;
	}

	/**
	 * How long until the next attempt is due.
	 * @return nanoseconds, negative if it is
	 */
	synchronized long remaining() {
		return this.dueAt - System.nanoTime();
	}

	/**
	 * An attempt begins: the next one is due after a delay.
	 */
	synchronized void attempted() {
		this.dueAt = System.nanoTime() + next();
	}

	/**
	 * The broker answered: the next attempt is due at once, and delays begin anew.
	 */
	synchronized void succeeded() {
		this.dueAt = System.nanoTime();
		this.delay = this.first;
	}

}
