/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

/**
 * Who declares the work queue.
 */
public enum WorkQueueMode {

	/** It is declared, and bound if there is an exchange to bind it to. */
	DECLARE,

	/**
	 * It is there already, whatever its type and its arguments: it is verified, never
	 * declared and never bound.
	 */
	EXISTING

}
