/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import org.jspecify.annotations.Nullable;

/**
 * What is to be discarded, by whom and why.
 *
 * @param selection which messages
 * @param maximum the most messages, from 1 to 100,000,000; the oldest are taken
 * @param dryRun whether only to count
 * @param act who and why
 * @param expected how many messages there may be, or {@code null} for any number
 * @param takeReserved whether messages are meant too that a replay has selected and not
 * published yet, which skips them then
 */
public record DiscardRequest(Selection selection, long maximum, boolean dryRun, OperatorAction act,
		@Nullable Expectation expected, boolean takeReserved) {

	/**
	 * Checks the maximum.
	 * @throws ReplayRefusedException if it is out of its bounds
	 */
	public DiscardRequest {
		checkMaximum(maximum);
	}

	/**
	 * Any number of messages that no replay has selected.
	 * @param selection which messages
	 * @param maximum the most messages, from 1 to 100,000,000; the oldest are taken
	 * @param dryRun whether only to count
	 * @param act who and why
	 */
	public DiscardRequest(Selection selection, long maximum, boolean dryRun, OperatorAction act) {
		this(selection, maximum, dryRun, act, null, false);
	}

	static void checkMaximum(long maximum) {
		if (maximum < 1) {
			throw ReplayRefusedException.invalid("maximum", "is " + maximum, "It must be 1 or more.");
		}
		if (maximum > ReplayOptions.LARGEST_MAXIMUM) {
			throw ReplayRefusedException.invalid("maximum", "is " + maximum, "It must be at most 100000000.");
		}
	}

}
