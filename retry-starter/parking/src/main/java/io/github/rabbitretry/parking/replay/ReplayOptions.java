/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How a replay goes about it.
 *
 * @param maximum the most messages, from 1 to 100,000,000; the oldest are taken
 * @param rate messages per second, from 0.01 to 100,000, or {@code null} for as fast as
 * the broker confirms
 * @param ramp how long it takes to grow from a tenth of the rate to the rate, after each
 * start; zero for no ramp
 * @param canary how many messages are published first, after which their outcome is
 * awaited; 0 for none. The replay goes on only if all of them succeed
 * @param canaryTimeout how long the canary's outcome is waited for before the replay
 * pauses, from a second to a day
 * @param abortPercent the share of messages parked again, among those with an outcome,
 * above which the replay stops, from 0 to 100; 100 for never
 * @param abortMinimum how many outcomes there have to be before that share counts, from 1
 * to 1,000,000
 * @param target a queue that copies are published to for inspection while the messages
 * stay parked, or {@code null} to replay them to their work queues
 */
public record ReplayOptions(long maximum, @Nullable Double rate, Duration ramp, int canary, Duration canaryTimeout,
		double abortPercent, int abortMinimum, @Nullable String target) {

	/** The most messages of a request. */
	public static final long LARGEST_MAXIMUM = 100_000_000;

	/** One message in a hundred seconds. */
	public static final double SMALLEST_RATE = 0.01;

	/** The most outcomes that a replay may be asked to await before it can be stopped. */
	public static final int LARGEST_ABORT_MINIMUM = 1_000_000;

	private static final double LARGEST_RATE = 100_000;

	private static final Duration LONGEST_RAMP = Duration.ofDays(1);

	private static final int LARGEST_CANARY = 10_000;

	/**
	 * Checks everything.
	 * @throws ReplayRefusedException if a value is out of its bounds or does not go with
	 * another
	 */
	public ReplayOptions {
		if (maximum < 1) {
			throw ReplayRefusedException.invalid("maximum", "is " + maximum, "It must be 1 or more.");
		}
		if (maximum > LARGEST_MAXIMUM) {
			throw ReplayRefusedException.invalid("maximum", "is " + maximum, "It must be at most 100000000.");
		}
		if (rate != null && !(rate > 0 && rate <= LARGEST_RATE)) {
			throw ReplayRefusedException.invalid("rate", "is " + rate,
					"It must be positive and at most 100000 per second; leave it out for no limit.");
		}
		if (rate != null && rate < SMALLEST_RATE) {
			throw ReplayRefusedException.invalid("rate", "is " + rate,
					"It must be at least 0.01 per second, which is one message in 100 seconds.");
		}
		between("ramp", ramp, Duration.ZERO, LONGEST_RAMP);
		if (rate == null && !ramp.isZero()) {
			throw ReplayRefusedException.invalid("ramp", "has no rate to grow to", "Set a rate too.");
		}
		if (canary < 0 || canary > LARGEST_CANARY) {
			throw ReplayRefusedException.invalid("canary", "is " + canary, "It must be from 0 to 10000.");
		}
		between("canaryTimeout", canaryTimeout, Duration.ofSeconds(1), Duration.ofDays(1));
		if (!(abortPercent >= 0 && abortPercent <= 100)) {
			throw ReplayRefusedException.invalid("abortPercent", "is " + abortPercent, "It must be from 0 to 100.");
		}
		if (abortMinimum < 1) {
			throw ReplayRefusedException.invalid("abortMinimum", "is " + abortMinimum, "It must be 1 or more.");
		}
		if (abortMinimum > LARGEST_ABORT_MINIMUM) {
			throw ReplayRefusedException.invalid("abortMinimum", "is " + abortMinimum, "It must be at most 1000000.");
		}
		if (target != null) {
			InputValidation.check("target", target, InputValidation.LONGEST_FILTER);
			if (canary > 0) {
				throw ReplayRefusedException.invalid("canary", "is " + canary + " with a target",
						"Copies for inspection have no outcome: leave out one of the two.");
			}
		}
	}

	private static void between(String what, Duration value, Duration least, Duration most) {
		if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
			throw ReplayRefusedException.invalid(what, "is " + value,
					"It must be from %s to %s.".formatted(least, most));
		}
	}

	/**
	 * Carefully: 10 first, then 50 per second, and no further once one in five comes
	 * back.
	 * @param maximum the most messages, from 1
	 * @return the options
	 */
	public static ReplayOptions careful(long maximum) {
		return new ReplayOptions(maximum, 50.0, Duration.ofSeconds(30), 10, Duration.ofMinutes(5), 20, 20, null);
	}

	/**
	 * As fast as the broker confirms, whatever becomes of the messages.
	 * @param maximum the most messages, from 1
	 * @return the options
	 */
	public static ReplayOptions unthrottled(long maximum) {
		return new ReplayOptions(maximum, null, Duration.ZERO, 0, Duration.ofMinutes(5), 100, 1, null);
	}

	/**
	 * These options with another rate.
	 * @param rate messages per second, or {@code null} for no limit
	 * @param ramp how long it takes to grow to it
	 * @return other options
	 */
	public ReplayOptions withRate(@Nullable Double rate, Duration ramp) {
		return new ReplayOptions(this.maximum, rate, ramp, this.canary, this.canaryTimeout, this.abortPercent,
				this.abortMinimum, this.target);
	}

	/**
	 * These options with another canary.
	 * @param canary how many messages, 0 for none
	 * @param canaryTimeout how long their outcome is waited for
	 * @return other options
	 */
	public ReplayOptions withCanary(int canary, Duration canaryTimeout) {
		return new ReplayOptions(this.maximum, this.rate, this.ramp, canary, canaryTimeout, this.abortPercent,
				this.abortMinimum, this.target);
	}

	/**
	 * These options with another bound of messages parked again.
	 * @param abortPercent the share, from 0 to 100
	 * @param abortMinimum the least number of outcomes
	 * @return other options
	 */
	public ReplayOptions withAbort(double abortPercent, int abortMinimum) {
		return new ReplayOptions(this.maximum, this.rate, this.ramp, this.canary, this.canaryTimeout, abortPercent,
				abortMinimum, this.target);
	}

	/**
	 * These options with copies to a queue for inspection, and so without a canary.
	 * @param target the queue
	 * @return other options
	 */
	public ReplayOptions withTarget(String target) {
		return new ReplayOptions(this.maximum, this.rate, this.ramp, 0, this.canaryTimeout, this.abortPercent,
				this.abortMinimum, target);
	}

}
