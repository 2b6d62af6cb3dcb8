/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The options of a replay.
 *
 * @param maximum the maximum number of messages, from 1 to 100,000,000; the oldest are
 * taken
 * @param rate messages per second, from 0.01 to 100,000, or {@code null} to publish as
 * fast as the broker confirms
 * @param ramp the time in which the rate grows from a tenth to its full value, after each
 * start; zero for no ramp
 * @param canary how many messages are published first, after which their outcome is
 * awaited; 0 for none. The replay continues only if all of them succeed
 * @param canaryTimeout how long to wait for the canary's outcome before the replay
 * pauses, from a second to a day
 * @param abortPercent the share of messages parked again, among those with an outcome,
 * above which the replay stops, from 0 to 100; 100 for never
 * @param abortMinimum the minimum number of outcomes before that share is evaluated, from
 * 1 to 1,000,000
 * @param target a queue to publish to instead of the work queues, or {@code null} for
 * those
 * @param move whether messages move to the target: those that the broker has confirmed
 * there are replayed, and what becomes of them is not known here. Otherwise the target
 * gets copies for inspection, and the messages stay parked
 */
public record ReplayOptions(long maximum, @Nullable Double rate, Duration ramp, int canary, Duration canaryTimeout,
		double abortPercent, int abortMinimum, @Nullable String target, boolean move) {

	/** The maximum number of messages in a request. */
	public static final long LARGEST_MAXIMUM = 100_000_000;

	/** One message in a hundred seconds. */
	public static final double SMALLEST_RATE = 0.01;

	/** The highest permitted value of {@code abortMinimum}. */
	public static final int LARGEST_ABORT_MINIMUM = 1_000_000;

	private static final double LARGEST_RATE = 100_000;

	private static final Duration LONGEST_RAMP = Duration.ofDays(1);

	private static final int LARGEST_CANARY = 10_000;

	/**
	 * Validates the options.
	 * @throws ReplayRefusedException if a value is out of bounds or incompatible with
	 * another
	 */
	public ReplayOptions {
		DiscardRequest.checkMaximum(maximum);
		if (rate != null) {
			check(rate > 0 && rate <= LARGEST_RATE, "rate", "is " + rate,
					"It must be positive and at most 100000 per second, or unlimited.");
			check(rate >= SMALLEST_RATE, "rate", "is " + rate,
					"It must be at least 0.01 per second, which is one message in 100 seconds.");
		}
		between("ramp", ramp, Duration.ZERO, LONGEST_RAMP);
		check(rate != null || ramp.isZero(), "ramp", "has no rate to grow to", "Set a rate too.");
		check(canary >= 0 && canary <= LARGEST_CANARY, "canary", "is " + canary, "It must be from 0 to 10000.");
		between("canaryTimeout", canaryTimeout, Duration.ofSeconds(1), Duration.ofDays(1));
		check(abortPercent >= 0 && abortPercent <= 100, "abortPercent", "is " + abortPercent,
				"It must be from 0 to 100.");
		check(abortMinimum >= 1, "abortMinimum", "is " + abortMinimum, "It must be 1 or more.");
		check(abortMinimum <= LARGEST_ABORT_MINIMUM, "abortMinimum", "is " + abortMinimum,
				"It must be at most 1000000.");
		if (target != null) {
			InputValidation.check("target", target, InputValidation.LONGEST_FILTER);
			check(canary == 0, "canary", "is " + canary + " with a target",
					"What is published to another queue has no outcome: leave out one of the two.");
		}
		check(target != null || !move, "move", "has no target", "Name the queue to move to as target.");
	}

	private static void check(boolean valid, String what, String problem, String remedy) {
		if (!valid) {
			throw ReplayRefusedException.invalid(what, problem, remedy);
		}
	}

	private static void between(String what, Duration value, Duration least, Duration most) {
		check(value.compareTo(least) >= 0 && value.compareTo(most) <= 0, what, "is " + value,
				"It must be from %s to %s.".formatted(least, most));
	}

	/**
	 * Careful options: 10 messages first, then 50 per second, stopping if more than one
	 * in five is parked again.
	 * @param maximum the maximum number of messages, from 1
	 * @return the options
	 */
	public static ReplayOptions careful(long maximum) {
		return new ReplayOptions(maximum, 50.0, Duration.ofSeconds(30), 10, Duration.ofMinutes(5), 20, 20, null, false);
	}

	/**
	 * Options without a limit: as fast as the broker confirms, regardless of the
	 * outcomes.
	 * @param maximum the maximum number of messages, from 1
	 * @return the options
	 */
	public static ReplayOptions unthrottled(long maximum) {
		return new ReplayOptions(maximum, null, Duration.ZERO, 0, Duration.ofMinutes(5), 100, 1, null, false);
	}

	/**
	 * Returns these options with another rate.
	 * @param rate messages per second, or {@code null} for no limit
	 * @param ramp the time in which to reach it
	 * @return the new options
	 */
	public ReplayOptions withRate(@Nullable Double rate, Duration ramp) {
		return new ReplayOptions(this.maximum, rate, ramp, this.canary, this.canaryTimeout, this.abortPercent,
				this.abortMinimum, this.target, this.move);
	}

	/**
	 * Returns these options with another canary.
	 * @param canary how many messages, 0 for none
	 * @param canaryTimeout how long to wait for their outcome
	 * @return the new options
	 */
	public ReplayOptions withCanary(int canary, Duration canaryTimeout) {
		return new ReplayOptions(this.maximum, this.rate, this.ramp, canary, canaryTimeout, this.abortPercent,
				this.abortMinimum, this.target, this.move);
	}

	/**
	 * Returns these options with another limit for messages parked again.
	 * @param abortPercent the share, from 0 to 100
	 * @param abortMinimum the least number of outcomes
	 * @return the new options
	 */
	public ReplayOptions withAbort(double abortPercent, int abortMinimum) {
		return new ReplayOptions(this.maximum, this.rate, this.ramp, this.canary, this.canaryTimeout, abortPercent,
				abortMinimum, this.target, this.move);
	}

	/**
	 * Returns these options with a queue that receives copies for inspection, and
	 * therefore without a canary.
	 * @param target the queue
	 * @return the new options
	 */
	public ReplayOptions withTarget(String target) {
		return withTarget(target, false);
	}

	/**
	 * Returns these options with a queue that messages move to, and therefore without a
	 * canary.
	 * @param target the queue
	 * @return the new options
	 */
	public ReplayOptions withMove(String target) {
		return withTarget(target, true);
	}

	private ReplayOptions withTarget(String target, boolean move) {
		return new ReplayOptions(this.maximum, this.rate, this.ramp, 0, this.canaryTimeout, this.abortPercent,
				this.abortMinimum, target, move);
	}

}
