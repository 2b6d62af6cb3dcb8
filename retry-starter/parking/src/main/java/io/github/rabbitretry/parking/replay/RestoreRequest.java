/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import org.jspecify.annotations.Nullable;

/**
 * What was discarded and is to be parked again, by whom and why.
 *
 * @param selection which messages
 * @param discard the number of the audit's entry of the act that discarded them, or
 * {@code null} for any
 * @param maximum the most messages, from 1 to 100,000,000; the oldest are taken
 * @param dryRun whether only to count
 * @param act who and why
 * @param expected how many messages there may be, or {@code null} for any number
 */
public record RestoreRequest(Selection selection, @Nullable Long discard, long maximum, boolean dryRun,
		OperatorAction act, @Nullable Expectation expected) {

	/**
	 * Checks the maximum.
	 * @throws ReplayRefusedException if it is out of its bounds
	 */
	public RestoreRequest {
		DiscardRequest.checkMaximum(maximum);
	}

	/**
	 * What is to be restored as people write it, for the audit.
	 * @return text
	 */
	public String selected() {
		return (this.discard != null) ? "discarded by audit entry %d: %s".formatted(this.discard, this.selection)
				: "discarded: " + this.selection;
	}

}
