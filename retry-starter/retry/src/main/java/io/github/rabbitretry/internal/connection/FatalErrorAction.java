/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

/**
 * What follows an {@link Error} in a thread that reads from the broker or calls
 * listeners.
 */
public enum FatalErrorAction {

	/** Stop all consumers. */
	STOP,

	/** End the process with exit code 99. */
	EXIT

}
