/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handler;

import java.time.Duration;
import java.util.function.IntSupplier;

/**
 * The calls of the handler for one delivery: which one runs, from 0, and how long it may.
 */
@FunctionalInterface
public interface HandlerCall extends IntSupplier {

	/**
	 * Lets the call that runs take longer.
	 * @param more how much longer
	 */
	default void extendTimeout(Duration more) {
	}

}
