/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.message;

/**
 * Where a parked message stands. The names are those of the database.
 */
public enum ParkedState {

	/** It waits for somebody. */
	PARKED,

	/** It was published again. */
	REPLAYED,

	/** Somebody decided that it is not needed. */
	DISCARDED

}
