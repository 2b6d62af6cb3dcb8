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
@FunctionalInterface
public interface Backoff {

	/**
	 * The delay before an attempt.
	 * @param attempt the attempt, 1 or more
	 * @return the delay
	 */
	Duration before(int attempt);

	/**
	 * Always the same delay.
	 * @param delay the delay
	 * @return the backoff
	 */
	static Backoff fixed(Duration delay) {
		return (attempt) -> delay;
	}

	/**
	 * The initial delay once, twice, three times ...
	 * @param initial the delay before the first attempt, added before each further one
	 * @param max the longest delay
	 * @return the backoff
	 */
	static Backoff linear(Duration initial, Duration max) {
		return (attempt) -> capped((double) initial.toMillis() * attempt, max);
	}

	/**
	 * Each delay a multiple of the one before.
	 * @param initial the delay before the first attempt
	 * @param multiplier the factor, at least 1
	 * @param max the longest delay
	 * @return the backoff
	 */
	static Backoff exponential(Duration initial, double multiplier, Duration max) {
		return (attempt) -> capped(initial.toMillis() * Math.pow(multiplier, attempt - 1), max);
	}

	/**
	 * A list of delays; beyond its end the last one again.
	 * @param delays the delays, at least one
	 * @return the backoff
	 */
	static Backoff schedule(List<Duration> delays) {
		List<Duration> copy = List.copyOf(delays);
		return (attempt) -> copy.get(Math.min(attempt, copy.size()) - 1);
	}

	private static Duration capped(double millis, Duration max) {
		return (millis >= max.toMillis()) ? max : Duration.ofMillis(Math.round(millis));
	}

}
