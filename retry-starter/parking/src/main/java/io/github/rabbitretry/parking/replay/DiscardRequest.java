/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import org.jspecify.annotations.Nullable;

/**
 * A request to discard messages.
 *
 * @param selection the messages
 * @param maximum the maximum number of messages, from 1 to 100,000,000; the oldest are
 * taken
 * @param dryRun whether to count only
 * @param act the user and the reason
 * @param expected the expected number of messages, or {@code null} for any number
 * @param takeReserved whether to include messages that a replay has selected and not yet
 * published; the replay then skips them
 */
public record DiscardRequest(Selection selection, long maximum, boolean dryRun, OperatorAction act,
		@Nullable Expectation expected, boolean takeReserved) {

	/**
	 * Validates the maximum.
	 * @throws ReplayRefusedException if it is out of bounds
	 */
	public DiscardRequest {
		checkMaximum(maximum);
	}

	/**
	 * Creates a request for any number of messages that no replay has selected.
	 * @param selection the messages
	 * @param maximum the maximum number of messages, from 1 to 100,000,000; the oldest
	 * are taken
	 * @param dryRun whether to count only
	 * @param act the user and the reason
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
