/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.topology;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What a delivery's headers say of its past failures. Headers come from outside: a value
 * of a wrong type, a negative count, an instant in the future counts as absent and is
 * named in {@link #ignored()}; it never throws and never makes a message younger than
 * another header shows it to be.
 *
 * @param attempt broker attempts made, 0 for a first delivery
 * @param firstFailureAt when the message failed first, or {@code null} if it has not
 * @param notBefore when the handler may be called next, or {@code null} if now
 * @param cumulativeDelay the sum of the delays asked for so far
 * @param level the delay level last waited on, from 1, or 0 for none
 * @param spending what handling it has cost so far
 * @param escalatedAt when its owner was told, or {@code null} if not yet
 * @param ignored the names of headers that were not believed
 */
public record DeliveryHistory(int attempt, @Nullable Instant firstFailureAt, @Nullable Instant notBefore,
		Duration cumulativeDelay, int level, Spending spending, @Nullable Instant escalatedAt, List<String> ignored) {

	/**
	 * Clocks of different machines may differ by this much before an instant counts as
	 * being in the future.
	 */
	static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

	/**
	 * A message that is this much too early does not wait on: synchronized clocks of two
	 * instances differ by some milliseconds, and waiting on takes 250 at least.
	 */
	static final Duration EARLY = Duration.ofMillis(50);

	/** The longest delay that can be asked for. */
	static final Duration LONGEST_DELAY = Duration.ofSeconds(864_000);

	private static final DeliveryHistory NONE = new DeliveryHistory(0, null, null, Duration.ZERO, 0, Spending.NONE,
			null, List.of());

	public DeliveryHistory {
		ignored = List.copyOf(ignored);
	}

	/**
	 * This history with more spent.
	 * @param total what handling the message has cost by now
	 * @return the history
	 */
	public DeliveryHistory with(Spending total) {
		return new DeliveryHistory(this.attempt, this.firstFailureAt, this.notBefore, this.cumulativeDelay, this.level,
				total, this.escalatedAt, this.ignored);
	}

	/**
	 * Whether the message came back from the ring.
	 * @return {@code true} if at least one broker attempt was made
	 */
	public boolean retried() {
		return this.attempt > 0;
	}

	/**
	 * Reads a delivery's headers.
	 * @param headers the headers as received
	 * @param now the current instant
	 * @return the history
	 */
	public static DeliveryHistory read(Map<String, ?> headers, Instant now) {
		if (headers.isEmpty()) {
			return NONE;
		}
		List<String> ignored = new ArrayList<>(0);
		int attempt = (int) count(headers, AppHeaders.RETRY_ATTEMPT, Integer.MAX_VALUE, ignored);
		Instant first = instant(headers, AppHeaders.FIRST_FAILURE_AT, now, ignored);
		if (first == null && attempt > 0) {
			// an age that can't be read must not start anew
			first = instant(headers, AppHeaders.LAST_FAILURE_AT, now, ignored);
			Instant death = BrokerDeath.oldest(headers).orElse(null);
			if (death != null && (first == null || death.isBefore(first))) {
				first = death;
			}
		}
		long delay = count(headers, AppHeaders.CUMULATIVE_DELAY, Long.MAX_VALUE / 1_000_000, ignored);
		int level = (int) count(headers, AppHeaders.RETRY_LEVEL, Integer.MAX_VALUE, ignored);
		Spending spending = new Spending(count(headers, AppHeaders.DOWNSTREAM_CALLS, Spending.LARGEST, ignored),
				count(headers, AppHeaders.COST, Spending.LARGEST, ignored));
		return new DeliveryHistory(attempt, first, notBefore(headers, now, ignored), Duration.ofMillis(delay), level,
				spending, instant(headers, AppHeaders.ESCALATED_AT, now, ignored), ignored);
	}

	private static @Nullable Instant notBefore(Map<String, ?> headers, Instant now, List<String> ignored) {
		Instant latest = now.plus(LONGEST_DELAY);
		Instant notBefore = instant(headers, AppHeaders.RETRY_NOT_BEFORE, latest, ignored);
		return (notBefore != null && notBefore.isAfter(now.plus(EARLY))) ? notBefore : null;
	}

	private static long count(Map<String, ?> headers, String name, long largest, List<String> ignored) {
		Object value = headers.get(name);
		if (value == null) {
			return 0;
		}
		if (value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte) {
			long count = ((Number) value).longValue();
			if (count >= 0 && count <= largest) {
				return count;
			}
		}
		ignored.add(name);
		return 0;
	}

	private static @Nullable Instant instant(Map<String, ?> headers, String name, Instant now, List<String> ignored) {
		Object value = headers.get(name);
		if (value == null) {
			return null;
		}
		try {
			if (value instanceof String text) {
				Instant instant = Instant.parse(text);
				if (!instant.isAfter(now)) {
					return instant;
				}
				if (!instant.isAfter(now.plus(CLOCK_SKEW))) {
					return now;
				}
			}
		}
		catch (DateTimeParseException ex) {
			// not believed, see below
		}
		ignored.add(name);
		return null;
	}

}
