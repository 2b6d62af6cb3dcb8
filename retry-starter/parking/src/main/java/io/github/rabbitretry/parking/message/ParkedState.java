/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.message;

/**
 * The state of a parked message. The names are used in the database.
 */
public enum ParkedState {

	/** It waits for an operator. */
	PARKED,

	/** It was published again. */
	REPLAYED,

	/** An operator discarded it. */
	DISCARDED

}
