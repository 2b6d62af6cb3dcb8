/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.topology.Usage;
import org.jspecify.annotations.Nullable;

/**
 * What a delivery's headers say of its past failures. Headers come from outside: a value
 * of a wrong type, a negative count, an instant in the future counts as absent and is
 * named in {@link #ignored()}; it never throws and never makes a message younger than
 * another header shows it to be.
 * <p>
 * Instants were written by other instances, whose clocks may differ. A message whose
 * first failure lies in the future is as old as the delays that it was asked to wait, and
 * none waits longer than the delay that was asked for. So an age is wrong by at most the
 * difference between two instances' clocks, and a wait is never longer than it should be.
 *
 * @param attempt broker attempts made, 0 for a first delivery
 * @param firstFailureAt when the message failed first, or {@code null} if it has not
 * @param notBefore when the handler may be called next, or {@code null} if now
 * @param cumulativeDelay the sum of the delays asked for so far
 * @param level the delay level last waited on, from 1, or 0 for none
 * @param usage what handling it has cost so far
 * @param escalatedAt when it was reported to its owner, or {@code null} if not yet
 * @param ignored the names of headers that were not believed
 */
public record DeliveryHistory(int attempt, @Nullable Instant firstFailureAt, @Nullable Instant notBefore,
		Duration cumulativeDelay, int level, Usage usage, @Nullable Instant escalatedAt, List<String> ignored) {

	/**
	 * Clocks of different machines may differ by this much before an instant counts as
	 * being in the future.
	 */
	static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

	/** The longest delay that can be requested. */
	static final Duration LONGEST_DELAY = Duration.ofSeconds(864_000);

	/** Clocks that are synchronized at all differ by less. */
	private static final Duration SYNCHRONIZED = Duration.ofSeconds(30);

	/** No policy allows more; counting on from here can't overflow. */
	static final int MOST_ATTEMPTS = 1_000_000;

	/** More than any message can have waited. */
	static final Duration LONGEST_SUM = Duration.ofDays(36_500);

	private static final DeliveryHistory NONE = new DeliveryHistory(0, null, null, Duration.ZERO, 0, Usage.NONE, null,
			List.of());

	public DeliveryHistory {
		ignored = List.copyOf(ignored);
	}

	/**
	 * This history with more spent.
	 * @param total what handling the message has cost by now
	 * @return the history
	 */
	public DeliveryHistory with(Usage total) {
		return new DeliveryHistory(this.attempt, this.firstFailureAt, this.notBefore, this.cumulativeDelay, this.level,
				total, this.escalatedAt, this.ignored);
	}

	/**
	 * This history with another beginning of the message's age.
	 * @param instant when it counts as having failed first
	 * @return the history
	 */
	public DeliveryHistory firstFailedAt(Instant instant) {
		return new DeliveryHistory(this.attempt, instant, this.notBefore, this.cumulativeDelay, this.level, this.usage,
				this.escalatedAt, this.ignored);
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
		HeaderReader reader = new HeaderReader(headers, now);
		int attempt = (int) Math.min(reader.count(AppHeaders.RETRY_ATTEMPT, Integer.MAX_VALUE), MOST_ATTEMPTS);
		Duration waited = Duration.ofMillis(reader.count(AppHeaders.CUMULATIVE_DELAY, LONGEST_SUM.toMillis()));
		Instant first = firstFailureAt(reader, attempt, waited);
		int level = (int) Math.min(reader.count(AppHeaders.RETRY_LEVEL, Integer.MAX_VALUE), MOST_ATTEMPTS);
		Usage usage = new Usage(reader.count(AppHeaders.DOWNSTREAM_CALLS, Usage.LARGEST),
				reader.count(AppHeaders.COST, Usage.LARGEST));
		reader.attempts();
		return new DeliveryHistory(attempt, first, notBefore(reader), waited, level, usage,
				reader.instant(AppHeaders.ESCALATED_AT), reader.ignored());
	}

	private static @Nullable Instant firstFailureAt(HeaderReader reader, int attempt, Duration waited) {
		Instant first = reader.instant(AppHeaders.FIRST_FAILURE_AT);
		if (first == null && attempt > 0) {
			// an age that can't be read must not start anew
			first = reader.instant(AppHeaders.LAST_FAILURE_AT);
			Instant death = XDeath.oldest(reader.headers(), reader.now()).orElse(null);
			if (death != null && (first == null || death.isBefore(first))) {
				first = death;
			}
		}
		if (attempt > 0 && !waited.isZero() && (first == null || reader.ahead(AppHeaders.FIRST_FAILURE_AT))) {
			// written by a clock ahead of this one; the delays don't depend on any clock
			Instant latest = reader.now().minus(waited);
			first = (first == null || latest.isBefore(first)) ? latest : first;
			first = first.isBefore(Instant.EPOCH) ? Instant.EPOCH : first;
		}
		return first;
	}

	/**
	 * Never longer than the delay that was asked for, which is what the writer added to a
	 * clock that may be ahead of this one.
	 */
	private static @Nullable Instant notBefore(HeaderReader reader) {
		Duration asked = reader.delay(AppHeaders.RETRY_DELAY, LONGEST_DELAY);
		Instant notBefore = reader.instant(AppHeaders.RETRY_NOT_BEFORE, LONGEST_DELAY);
		if (notBefore == null || !notBefore.isAfter(reader.now())) {
			return null;
		}
		Instant latest = reader.now().plus(asked);
		return notBefore.isAfter(latest) ? latest : notBefore;
	}

	/**
	 * By how much the clock of the instance that wrote the headers is ahead. That a clock
	 * is behind looks like a message that waited, so it can only be seen by the other
	 * instance.
	 * @param headers the headers as received
	 * @param now the current instant
	 * @return at least this much; zero if it is tolerated, or so much that the header
	 * rather than the clock is wrong
	 */
	public static Duration clockAhead(Map<String, ?> headers, Instant now) {
		Instant written = HeaderReader.parse(headers.get(AppHeaders.LAST_FAILURE_AT));
		Duration ahead = (written != null) ? Duration.between(now, written) : Duration.ZERO;
		return (ahead.compareTo(SYNCHRONIZED) > 0 && ahead.compareTo(LONGEST_DELAY) <= 0) ? ahead : Duration.ZERO;
	}

}
