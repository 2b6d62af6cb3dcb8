/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.outage;

/**
 * What consumes for handlers that call a service. Called by one thread at a time, and may
 * take its time; what fails is tried again.
 */
public interface PausableListener {

	/** Stops consuming, unless it is stopped. */
	void pause();

	/** Consumes one message at a time, if it was paused and not started by other code. */
	void probe();

	/**
	 * Whether it is paused, or about to be, and will go on.
	 * @return {@code false} if only other code may start it
	 */
	boolean paused();

	/** Consumes as before, if it was paused and not stopped by other code. */
	void resume();

}
