/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.decision;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

import io.github.rabbitretry.internal.policy.RetryRatio;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one message type's ratio of retries in this process: whenever a retry is allowed,
 * those of the window that ends with it, without those that have succeeded by then, are
 * at most the part of its first deliveries that the ratio says, or {@code at-least}. A
 * service that is down gets no more than that, and one that is up again what it can
 * handle.
 * <p>
 * The window is counted in sixtieths. The partial first one never increases the
 * allowance. A first delivery costs a look at the clock and an increment.
 */
public final class RetryRatioLimiter {

	private static final int PARTS = 60;

	/**
	 * How many messages are given each place. With one, a place would be lost whenever
	 * its message comes back a moment too early or late, and a rate that has grown would
	 * have nothing to handle.
	 */
	private static final int PER_PLACE = 2;

	private final RetryRatio ratio;

	private final LongSupplier nanoTime;

	private final long width;

	/** The window's parts, and one more that it began in. */
	private final AtomicReferenceArray<@Nullable Part> parts = new AtomicReferenceArray<>(PARTS + 1);

	/** When the last message comes back that was given a place. Guarded by this. */
	private long lastPlace;

	/**
	 * Creates a limiter that has counted nothing.
	 * @param ratio the ratio to keep
	 * @param nanoTime a clock that only its differences are taken of
	 */
	public RetryRatioLimiter(RetryRatio ratio, LongSupplier nanoTime) {
		this.ratio = ratio;
		this.nanoTime = nanoTime;
		this.width = Math.max(1, ratio.window().toNanos() / PARTS);
		this.lastPlace = nanoTime.getAsLong();
	}

	/** Counts a first delivery. */
	public void firstDelivery() {
		part(now()).firsts.increment();
	}

	/**
	 * Takes a retry, if the ratio allows one.
	 * @return whether the handler may be called again
	 */
	public synchronized boolean take() {
		long now = now();
		long retries = 0;
		for (int i = 0; i < this.parts.length(); i++) {
			Part part = this.parts.get(i);
			retries += (part != null && part.number >= now - PARTS) ? part.retries : 0;
		}
		if (retries >= allowed(now)) {
			return false;
		}
		part(now).retries++;
		return true;
	}

	/** Takes back a retry that succeeded: the ratio is about those that fail. */
	public synchronized void succeeded() {
		long now = now();
		for (long number = now; number >= now - PARTS; number--) {
			Part part = this.parts.get((int) Math.floorMod(number, (long) this.parts.length()));
			if (part != null && part.number == number && part.retries > 0) {
				part.retries--;
				return;
			}
		}
	}

	/**
	 * Gives a message that was refused a place behind the others that were, as far apart
	 * as retries are allowed by now. All are within a window: once the service is up
	 * again, none waits longer than that.
	 * @return how long it waits, positive
	 */
	public synchronized Duration place() {
		long now = this.nanoTime.getAsLong();
		long window = this.ratio.window().toNanos();
		long apart = Math.max(1, window / (PER_PLACE * allowed(now())));
		long wait = Math.min(window, Math.max(0, this.lastPlace - now) + apart);
		this.lastPlace = now + wait;
		return Duration.ofMillis(Math.max(1, TimeUnit.NANOSECONDS.toMillis(wait)));
	}

	/** How many retries the window may have that ends now. */
	private long allowed(long now) {
		long firsts = 0;
		for (int i = 0; i < this.parts.length(); i++) {
			Part part = this.parts.get(i);
			if (part != null && part.number > now - PARTS) {
				firsts += part.firsts.sum();
			}
		}
		return Math.max(this.ratio.atLeast(), (long) (this.ratio.max() * firsts));
	}

	private long now() {
		return Math.floorDiv(this.nanoTime.getAsLong(), this.width);
	}

	private Part part(long number) {
		int index = (int) Math.floorMod(number, (long) this.parts.length());
		while (true) {
			Part part = this.parts.get(index);
			if (part != null && part.number >= number) {
				return part;
			}
			Part next = new Part(number);
			if (this.parts.compareAndSet(index, part, next)) {
				return next;
			}
		}
	}

	private static final class Part {

		private final long number;

		private final LongAdder firsts = new LongAdder();

		/** Guarded by the limiter. */
		private long retries;

		Part(long number) {
			this.number = number;
		}

	}

}
