/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.message;

/**
 * How much of a parked message's body the ledger holds. The names are those of the
 * database.
 */
public enum PayloadState {

	/** All of it, byte for byte. */
	WHOLE,

	/** A JSON document in which values are hidden. */
	MASKED,

	/** None of it. */
	OMITTED;

	/**
	 * Whether a message can be replayed from the ledger. What was hidden can't be brought
	 * back.
	 * @return {@code true} if the body is there byte for byte
	 */
	public boolean replayable() {
		return this == WHOLE;
	}

}
