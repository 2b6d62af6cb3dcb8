/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.event;

/**
 * The outcome of a replayed message.
 */
public enum ReplayOutcome {

	/** The listener handled it. */
	SUCCEEDED,

	/** It is in the parking lot again. */
	PARKED_AGAIN,

	/** It was acknowledged without success. */
	DISCARDED

}
