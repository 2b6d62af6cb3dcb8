/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import java.time.Duration;

/**
 * A fixed delay that a retry queue stands for: every message in that queue waits equally
 * long, since RabbitMQ expires messages at a queue's head only.
 *
 * @param delay whole milliseconds, from 1 ms to 4,294,967,295 ms (the broker's limit for
 * {@code x-message-ttl})
 */
public record DelayLevel(Duration delay) implements Comparable<DelayLevel> {

	private static final Duration LONGEST = Duration.ofMillis(0xFFFFFFFFL);

	public DelayLevel {
		if (delay.isNegative() || delay.isZero()) {
			throw new InvalidConfigurationException("delay", delay, "must be positive", "Use at least 1ms.");
		}
		if (delay.compareTo(LONGEST) > 0) {
			throw new InvalidConfigurationException("delay", delay, "must be at most " + LONGEST,
					"Use a shorter delay; for anything longer, a scheduler is the better place.");
		}
		if (delay.getNano() % 1_000_000 != 0) {
			throw new InvalidConfigurationException("delay", delay, "must be whole milliseconds",
					"Round it; the broker counts in milliseconds.");
		}
	}

	/**
	 * The shortest level that is not shorter than a delay.
	 * @param delay any delay
	 * @return the delay in whole milliseconds, rounded up, within the bounds of a level
	 */
	public static DelayLevel ofAtLeast(Duration delay) {
		if (delay.compareTo(LONGEST) >= 0) {
			return new DelayLevel(LONGEST);
		}
		return new DelayLevel(Duration.ofMillis(Math.max(1, delay.plusNanos(999_999).toMillis())));
	}

	/**
	 * The level as queue names spell it, in the largest unit that divides it:
	 * {@code 500ms}, {@code 10s}, {@code 5m}, {@code 2h}, {@code 1d}.
	 * @return the label
	 */
	public String label() {
		long millis = this.delay.toMillis();
		if (millis % 86_400_000 == 0) {
			return millis / 86_400_000 + "d";
		}
		if (millis % 3_600_000 == 0) {
			return millis / 3_600_000 + "h";
		}
		if (millis % 60_000 == 0) {
			return millis / 60_000 + "m";
		}
		if (millis % 1000 == 0) {
			return millis / 1000 + "s";
		}
		return millis + "ms";
	}

	@Override
	public int compareTo(DelayLevel other) {
		return this.delay.compareTo(other.delay);
	}

	@Override
	public String toString() {
		return label();
	}

}
