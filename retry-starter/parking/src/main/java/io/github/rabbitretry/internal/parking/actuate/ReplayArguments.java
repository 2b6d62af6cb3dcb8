/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.time.Duration;

import io.github.rabbitretry.internal.actuate.EndpointException;
import io.github.rabbitretry.internal.actuate.EndpointRequest;
import io.github.rabbitretry.parking.replay.Expectation;
import io.github.rabbitretry.parking.replay.ReplayOptions;
import io.github.rabbitretry.parking.replay.ReplayRequest;
import io.github.rabbitretry.parking.replay.Selection;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a replay. What is not given is careful.
 *
 * @param action which messages, how many, who and why
 * @param rate messages per second, or {@code unlimited}
 * @param ramp how long it takes to grow to the rate
 * @param canary how many messages are published first
 * @param canaryTimeout how long their outcome is awaited
 * @param abortPercent the share of messages parked again above which it stops
 * @param abortMinimum how many outcomes there have to be before
 * @param target another queue than the work queue
 * @param move whether messages move there, and not copies
 * @param uncertainOf a replay of which those are meant that it perhaps published
 * @param restOf a replay of which those are meant that it did not publish
 * @param takeReserved whether messages are meant too that another replay has selected
 */
record ReplayArguments(ActionArguments action, @Nullable String rate, @Nullable Duration ramp, @Nullable Integer canary,
		@Nullable Duration canaryTimeout, @Nullable Double abortPercent, @Nullable Integer abortMinimum,
		@Nullable String target, boolean move, @Nullable String uncertainOf, @Nullable String restOf,
		boolean takeReserved) {

	ReplayRequest replay(EndpointRequest request, boolean dryRun) {
		boolean ofReplay = this.uncertainOf != null || this.restOf != null;
		Selection selection = this.action.selection(ofReplay);
		int named = selection.ids().size();
		Expectation expected = this.action.expected(named == 0 && !ofReplay && !dryRun);
		return new ReplayRequest(selection, options(this.action.maximum(named, expected)),
				this.action.act(request, dryRun), this.uncertainOf, this.restOf, expected, this.takeReserved);
	}

	private ReplayOptions options(long maximum) {
		ReplayOptions careful = ReplayOptions.careful(maximum);
		Double limit = (this.rate != null) ? perSecond(this.rate) : careful.rate();
		return new ReplayOptions(careful.maximum(), limit,
				(limit != null) ? or(this.ramp, careful.ramp()) : or(this.ramp, Duration.ZERO),
				or(this.canary, (this.target != null) ? 0 : careful.canary()),
				or(this.canaryTimeout, careful.canaryTimeout()), or(this.abortPercent, careful.abortPercent()),
				or(this.abortMinimum, careful.abortMinimum()), this.target, this.move);
	}

	private static <T> T or(@Nullable T value, T otherwise) {
		return (value != null) ? value : otherwise;
	}

	/** Messages per second, or {@code null} for no limit. */
	static @Nullable Double perSecond(String rate) {
		if (rate.equals("unlimited")) {
			return null;
		}
		try {
			double number = Double.parseDouble(rate.trim());
			if (Double.isFinite(number)) {
				return number;
			}
		}
		catch (NumberFormatException ex) {
			// refused below
		}
		throw EndpointException.invalid("'rate' is no number.");
	}

}
