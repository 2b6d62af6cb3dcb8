/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * When to try again to reach the broker: later each time, and not all instances of a
 * service at the same moment.
 */
final class ReconnectBackoff {

	private static final double JITTER = 0.25;

	private final long first;

	private final long last;

	private long delay;

	private long dueAt = System.nanoTime();

	ReconnectBackoff(Duration first, Duration last) {
		this.first = first.toNanos();
		this.last = last.toNanos();
		this.delay = this.first;
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
		double factor = 1 + ThreadLocalRandom.current().nextDouble(-JITTER, JITTER);
		this.dueAt = System.nanoTime() + (long) (factor * this.delay);
		this.delay = Math.min(2 * this.delay, this.last);
	}

	/**
	 * The broker answered: the next attempt is due at once, and delays begin anew.
	 */
	synchronized void succeeded() {
		this.dueAt = System.nanoTime();
		this.delay = this.first;
	}

}
