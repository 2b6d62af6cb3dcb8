/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.simulation;

/**
 * There is more to simulate than its bounds allow.
 */
public final class SimulationTooLargeException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	SimulationTooLargeException(String message) {
		super(message);
	}

}
