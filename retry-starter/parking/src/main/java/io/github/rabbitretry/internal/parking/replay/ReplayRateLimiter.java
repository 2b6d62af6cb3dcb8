/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * How many messages may be published by now. What was not used up is not saved for later,
 * so that no burst follows a stall.
 */
final class ReplayRateLimiter {

	private static final double NANOS = 1_000_000_000.0;

	/** What a ramp begins with. */
	private static final double FIRST = 0.1;

	/** How long what is not used up is kept. */
	private static final double KEPT = 0.1;

	private @Nullable Double rate;

	private long ramp;

	private long startedAt;

	private long countedAt;

	private double permits;

	ReplayRateLimiter(@Nullable Double rate, Duration ramp, long now) {
		this.rate = rate;
		this.ramp = ramp.toNanos();
		restart(now);
	}

	/** Goes on at another rate, if it is another one. */
	void change(@Nullable Double rate, Duration ramp, long now) {
		if (!Objects.equals(rate, this.rate) || ramp.toNanos() != this.ramp) {
			this.rate = rate;
			this.ramp = ramp.toNanos();
			restart(now);
		}
	}

	/** Begins slowly again. */
	void restart(long now) {
		this.startedAt = now;
		this.countedAt = now;
		this.permits = 0;
	}

	/**
	 * Takes what may be published.
	 * @param now the current time, as of {@link System#nanoTime()}
	 * @param most how many at most
	 * @return how many
	 */
	int take(long now, int most) {
		Double limit = this.rate;
		if (limit == null) {
			return most;
		}
		double current = limit * share(now);
		this.permits = Math.min(this.permits + current * (now - this.countedAt) / NANOS, Math.max(1, current * KEPT));
		this.countedAt = now;
		int taken = (int) Math.min(this.permits, most);
		this.permits -= taken;
		return taken;
	}

	/** Gives back what was not used. */
	void unused(int count) {
		this.permits += count;
	}

	/**
	 * How long to wait for the next one.
	 * @param now the current time
	 * @return nanoseconds, 0 or more
	 */
	long untilNext(long now) {
		Double limit = this.rate;
		return (limit == null) ? 0 : (long) (Math.max(0, 1 - this.permits) / (limit * share(now)) * NANOS);
	}

	private double share(long now) {
		long elapsed = now - this.startedAt;
		return (this.ramp == 0 || elapsed >= this.ramp) ? 1 : FIRST + (1 - FIRST) * elapsed / this.ramp;
	}

}
