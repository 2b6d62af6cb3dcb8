/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.replay;

/**
 * What is to be discarded, by whom and why.
 *
 * @param selection which messages
 * @param maximum the most messages, from 1 to 100,000,000; the oldest are taken
 * @param dryRun whether only to count
 * @param act who and why
 */
public record DiscardRequest(Selection selection, long maximum, boolean dryRun, Act act) {

	/**
	 * Checks the maximum.
	 * @throws ReplayRefusedException if it is out of its bounds
	 */
	public DiscardRequest {
		if (maximum < 1) {
			throw ReplayRefusedException.invalid("maximum", "is " + maximum, "It must be 1 or more.");
		}
		if (maximum > ReplayOptions.LARGEST_MAXIMUM) {
			throw ReplayRefusedException.invalid("maximum", "is " + maximum, "It must be at most 100000000.");
		}
	}

}
