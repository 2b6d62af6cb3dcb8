/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.decision;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

import io.github.rabbitretry.internal.policy.RetryRatio;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one message type's ratio of retries in this process: whenever a retry is allowed,
 * those of the window that ends with it are at most the part of its first deliveries that
 * the ratio says, or {@code at-least}.
 * <p>
 * The window is counted in sixtieths. Of the two that it begins and ends in, retries
 * count and first deliveries don't, so that what is cut is never in favour of a retry. A
 * first delivery costs a look at the clock and an increment.
 */
public final class RetryRatioLimiter {

	private static final int PARTS = 60;

	private final RetryRatio ratio;

	private final LongSupplier nanoTime;

	private final long width;

	/** The window's parts, and one more that it began in. */
	private final AtomicReferenceArray<@Nullable Part> parts = new AtomicReferenceArray<>(PARTS + 1);

	/**
	 * Creates a limiter that has counted nothing.
	 * @param ratio the ratio to keep
	 * @param nanoTime a clock that only its differences are taken of
	 */
	public RetryRatioLimiter(RetryRatio ratio, LongSupplier nanoTime) {
		this.ratio = ratio;
		this.nanoTime = nanoTime;
		this.width = Math.max(1, ratio.window().toNanos() / PARTS);
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
		Part current = part(now);
		long firsts = 0;
		long retries = 0;
		for (int i = 0; i < this.parts.length(); i++) {
			Part part = this.parts.get(i);
			if (part != null && part.number >= now - PARTS) {
				retries += part.retries;
				firsts += (part.number > now - PARTS) ? part.firsts.sum() : 0;
			}
		}
		if (retries >= Math.max(this.ratio.atLeast(), (long) (this.ratio.max() * firsts))) {
			return false;
		}
		current.retries++;
		return true;
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

		/** Guarded by the allowance. */
		private long retries;

		Part(long number) {
			this.number = number;
		}

	}

}
