/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.event;

/**
 * Identifies the replay that published a delivery, and the message of that replay.
 *
 * @param replayId the replay
 * @param item the message's id in the ledger
 */
public record ReplayReference(String replayId, long item) {

	/**
	 * The outcome of a replayed message.
	 */
	public enum Outcome {

		/** The listener handled it. */
		SUCCEEDED,

		/** It is in the parking lot again. */
		PARKED_AGAIN,

		/** It was acknowledged without success. */
		DISCARDED

	}

}
