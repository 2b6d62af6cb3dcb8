/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.policy;

import java.time.Duration;
import java.util.List;

/**
 * How long to wait before a broker attempt, before jitter. Attempts count from 1. Every
 * delay is whole milliseconds.
 */
public sealed interface Backoff {

	/**
	 * The delay before an attempt.
	 * @param attempt the attempt, 1 or more
	 * @return the delay
	 */
	Duration before(int attempt);

	/**
	 * Always the same delay.
	 *
	 * @param delay the delay
	 */
	record Fixed(Duration delay) implements Backoff {

		@Override
		public Duration before(int attempt) {
			return this.delay;
		}

	}

	/**
	 * The initial delay once, twice, three times ...
	 *
	 * @param initial the delay before the first attempt, added before each further one
	 * @param max the longest delay
	 */
	record Linear(Duration initial, Duration max) implements Backoff {

		@Override
		public Duration before(int attempt) {
			return Backoff.capped((double) this.initial.toMillis() * attempt, this.max);
		}

	}

	/**
	 * Each delay a multiple of the one before.
	 *
	 * @param initial the delay before the first attempt
	 * @param multiplier the factor, at least 1
	 * @param max the longest delay
	 */
	record Exponential(Duration initial, double multiplier, Duration max) implements Backoff {

		@Override
		public Duration before(int attempt) {
			return Backoff.capped(this.initial.toMillis() * Math.pow(this.multiplier, attempt - 1), this.max);
		}

	}

	/**
	 * A list of delays; beyond its end the last one again.
	 *
	 * @param delays the delays, at least one
	 */
	record Schedule(List<Duration> delays) implements Backoff {

		public Schedule {
			delays = List.copyOf(delays);
		}

		@Override
		public Duration before(int attempt) {
			return this.delays.get(Math.min(attempt, this.delays.size()) - 1);
		}

	}

	private static Duration capped(double millis, Duration max) {
		return (millis >= max.toMillis()) ? max : Duration.ofMillis(Math.round(millis));
	}

}
