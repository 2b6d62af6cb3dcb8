/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.scan;

import java.time.Duration;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.rabbitretry.handover.HandoverCallback;

/**
 * Copies on their way during one replay.
 */
final class ScanReplay implements HandoverCallback {

	private final Phaser pending = new Phaser(1);

	private final AtomicInteger confirmed = new AtomicInteger();

	void submitted() {
		this.pending.register();
	}

	@Override
	public void confirmed(Duration elapsed) {
		this.confirmed.incrementAndGet();
		this.pending.arriveAndDeregister();
	}

	@Override
	public void abandoned() {
		this.pending.arriveAndDeregister();
	}

	/**
	 * Waits until all copies are settled, or for a while.
	 * @param patience how long
	 * @return how many were confirmed, and so acknowledged, by now
	 */
	int await(Duration patience) {
		int phase = this.pending.arrive();
		try {
			this.pending.awaitAdvanceInterruptibly(phase, patience.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (TimeoutException ex) {
			// what is late goes back with the channel
		}
		return this.confirmed.get();
	}

}
