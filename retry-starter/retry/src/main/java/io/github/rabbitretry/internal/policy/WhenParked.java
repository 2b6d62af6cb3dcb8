/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.policy;

/**
 * What becomes of the messages behind one that is parked.
 */
public enum WhenParked {

	/** They are handled. */
	CONTINUE,

	/** They wait: consuming ends at the message, which keeps its place. */
	BLOCK

}
