/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import org.jspecify.annotations.Nullable;

/**
 * A request to park discarded messages again.
 *
 * @param selection the messages
 * @param discard the id of the audit entry of the action that discarded them, or
 * {@code null} for any
 * @param maximum the maximum number of messages, from 1 to 100,000,000; the oldest are
 * taken
 * @param dryRun whether to count only
 * @param act the user and the reason
 * @param expected the expected number of messages, or {@code null} for any number
 */
public record RestoreRequest(Selection selection, @Nullable Long discard, long maximum, boolean dryRun,
		OperatorAction act, @Nullable Expectation expected) {

	/**
	 * Validates the maximum.
	 * @throws ReplayRefusedException if it is out of bounds
	 */
	public RestoreRequest {
		DiscardRequest.checkMaximum(maximum);
	}

	/**
	 * Returns a description of the messages, for the audit.
	 * @return the description
	 */
	public String selected() {
		return (this.discard != null) ? "discarded by audit entry %s: %s".formatted(this.discard, this.selection)
				: "discarded: " + this.selection;
	}

}
