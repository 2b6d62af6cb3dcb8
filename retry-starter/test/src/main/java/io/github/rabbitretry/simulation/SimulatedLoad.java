/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.Reasons;
import org.jspecify.annotations.Nullable;

/**
 * The load of a simulation: messages that arrive at a constant rate, and a service that
 * is down for some time.
 *
 * @param rate messages per second, more than 0, at most {@value #HIGHEST_RATE}
 * @param outage how long the service is down, 0 or more, at most 14 days
 * @param outageAt how long after the first message it goes down, 0 or more, at most 14
 * days
 * @param failing the share of calls that fail while it is down, from 0 to 1
 * @param failureClass the failure class of the failures
 * @param reason the reason of the failures, as in classifications
 * @param handlerTime how long a successful call takes, at most a day
 * @param failingTime how long a failing call takes, at most a day
 * @param concurrency how many messages are handled concurrently, 1 or more, or
 * {@code null} for no limit
 * @param duration how long messages arrive, positive, at most 14 days, or {@code null} to
 * continue until all failed messages are settled
 * @param start when the first message arrives; only relevant for business hours
 * @param seed the random seed: equal seeds have equal results
 */
public record SimulatedLoad(double rate, Duration outage, Duration outageAt, double failing, FailureClass failureClass,
		String reason, Duration handlerTime, Duration failingTime, @Nullable Integer concurrency,
		@Nullable Duration duration, Instant start, long seed) {

	/** The maximum number of messages per second. */
	public static final int HIGHEST_RATE = 100_000;

	private static final Duration LONGEST = Duration.ofDays(14);

	private static final Duration LONGEST_CALL = Duration.ofDays(1);

	private static final Instant MONDAY = Instant.parse("2026-01-05T00:00:00Z");

	private static final Pattern REASON = Pattern.compile("[A-Z][A-Z0-9_]{0,63}");

	/**
	 * Validates the values.
	 * @throws IllegalArgumentException if one is out of bounds; the message names it
	 */
	public SimulatedLoad {
		if (!(rate > 0) || rate > HIGHEST_RATE) {
			throw new IllegalArgumentException("'rate' is %s messages a second. It must be more than 0 and at most %s."
				.formatted(rate, HIGHEST_RATE));
		}
		within("outage", outage, Duration.ZERO, LONGEST);
		within("outageAt", outageAt, Duration.ZERO, LONGEST);
		if (!(failing >= 0) || failing > 1) {
			throw new IllegalArgumentException(
					"'failing' is %s %%. It must be from 0 to 100 %%.".formatted(100 * failing));
		}
		if (!REASON.matcher(reason).matches()) {
			throw new IllegalArgumentException(
					"'reason' is '%s'. It must be upper case letters, digits and underscores, as %s.".formatted(reason,
							Reasons.DOWNSTREAM_UNAVAILABLE));
		}
		within("handlerTime", handlerTime, Duration.ZERO, LONGEST_CALL);
		within("failingTime", failingTime, Duration.ZERO, LONGEST_CALL);
		if (concurrency != null && concurrency < 1) {
			throw new IllegalArgumentException("'concurrency' is %s. It must be 1 or more.".formatted(concurrency));
		}
		if (duration != null) {
			within("duration", duration, Duration.ofMillis(1), LONGEST);
		}
	}

	/**
	 * Creates a load in which all calls fail as unavailable while the service is down,
	 * and take no time. The service is down from the first message on.
	 * @param rate messages per second
	 * @param outage how long the service is down
	 * @return the load
	 */
	public static SimulatedLoad of(double rate, Duration outage) {
		return new SimulatedLoad(rate, outage, Duration.ZERO, 1, FailureClass.TRANSIENT, Reasons.DOWNSTREAM_UNAVAILABLE,
				Duration.ZERO, Duration.ZERO, null, null, MONDAY, 1);
	}

	/**
	 * Returns this load with an outage that begins later.
	 * @param begin how long after the first message
	 * @return the load
	 */
	public SimulatedLoad outageAt(Duration begin) {
		return new SimulatedLoad(this.rate, this.outage, begin, this.failing, this.failureClass, this.reason,
				this.handlerTime, this.failingTime, this.concurrency, this.duration, this.start, this.seed);
	}

	/**
	 * Returns when the service is up again.
	 * @return the time since the first message
	 */
	public Duration outageEnd() {
		return this.outageAt.plus(this.outage);
	}

	/**
	 * Returns this load with another share of failing calls.
	 * @param part the share of calls that fail while the service is down, from 0 to 1
	 * @return the load
	 */
	public SimulatedLoad failing(double part) {
		return new SimulatedLoad(this.rate, this.outage, this.outageAt, part, this.failureClass, this.reason,
				this.handlerTime, this.failingTime, this.concurrency, this.duration, this.start, this.seed);
	}

	/**
	 * Returns this load with other failures.
	 * @param as their failure class
	 * @param because their reason
	 * @return the load
	 */
	public SimulatedLoad failing(FailureClass as, String because) {
		return new SimulatedLoad(this.rate, this.outage, this.outageAt, this.failing, as, because, this.handlerTime,
				this.failingTime, this.concurrency, this.duration, this.start, this.seed);
	}

	/**
	 * Returns this load with calls that take time.
	 * @param succeeding how long a successful call takes
	 * @param whenFailing how long a failing call takes, such as a timeout
	 * @return the load
	 */
	public SimulatedLoad calls(Duration succeeding, Duration whenFailing) {
		return new SimulatedLoad(this.rate, this.outage, this.outageAt, this.failing, this.failureClass, this.reason,
				succeeding, whenFailing, this.concurrency, this.duration, this.start, this.seed);
	}

	/**
	 * Returns this load with a number of consumers; messages that they cannot handle yet
	 * wait in the work queue.
	 * @param consumers how many messages are handled concurrently
	 * @return the load
	 */
	public SimulatedLoad concurrency(int consumers) {
		return new SimulatedLoad(this.rate, this.outage, this.outageAt, this.failing, this.failureClass, this.reason,
				this.handlerTime, this.failingTime, consumers, this.duration, this.start, this.seed);
	}

	/**
	 * Returns this load with an end of arrivals; messages that have arrived are simulated
	 * to their end.
	 * @param arriving how long messages arrive
	 * @return the load
	 */
	public SimulatedLoad lasting(Duration arriving) {
		return new SimulatedLoad(this.rate, this.outage, this.outageAt, this.failing, this.failureClass, this.reason,
				this.handlerTime, this.failingTime, this.concurrency, arriving, this.start, this.seed);
	}

	/**
	 * Returns this load at another time.
	 * @param instant when the first message arrives
	 * @return the load
	 */
	public SimulatedLoad startingAt(Instant instant) {
		return new SimulatedLoad(this.rate, this.outage, this.outageAt, this.failing, this.failureClass, this.reason,
				this.handlerTime, this.failingTime, this.concurrency, this.duration, instant, this.seed);
	}

	/**
	 * Returns this load with other jitter and, if only a share of the calls fails, other
	 * failures.
	 * @param begin the random seed
	 * @return the load
	 */
	public SimulatedLoad seed(long begin) {
		return new SimulatedLoad(this.rate, this.outage, this.outageAt, this.failing, this.failureClass, this.reason,
				this.handlerTime, this.failingTime, this.concurrency, this.duration, this.start, begin);
	}

	private static void within(String name, Duration value, Duration least, Duration most) {
		if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
			throw new IllegalArgumentException(
					"'%s' is %s. It must be from %s to %s.".formatted(name, value, least, most));
		}
	}

}
