/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.message;

/**
 * How much of a parked message's body the ledger holds. The names are used in the
 * database.
 */
public enum PayloadState {

	/** The whole body, byte for byte. */
	WHOLE,

	/** A JSON document with masked values. */
	MASKED,

	/** No body. */
	OMITTED;

	/**
	 * Whether a message can be replayed from the ledger. Masked values cannot be
	 * restored.
	 * @return {@code true} if the whole body is stored
	 */
	public boolean replayable() {
		return this == WHOLE;
	}

}
