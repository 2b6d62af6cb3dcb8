/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

/**
 * Why a replay was paused or ended. The names are those of the database.
 */
public enum StopReason {

	/** Somebody wanted it. */
	ASKED_FOR,

	/** Not all messages of the canary succeeded. */
	CANARY_FAILED,

	/** The canary's outcome was not known in time. */
	CANARY_UNDECIDED,

	/** Too many messages came to the parking lot again. */
	TOO_MANY_PARKED_AGAIN,

	/** Some messages were no longer parked when their turn came. */
	MESSAGES_SKIPPED,

	/**
	 * The broker has no way to the queue: an exchange, a binding or the queue is gone.
	 */
	UNROUTABLE

}
