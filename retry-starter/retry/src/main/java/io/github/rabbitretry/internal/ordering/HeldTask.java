/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.ordering;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What is done one after the other in a lane.
 */
interface HeldTask {

	/**
	 * Does the next step.
	 * @return how long to wait before the step after that, or {@code null} if there is
	 * none, and the lane goes on with the next task
	 */
	@Nullable Duration step();

	/**
	 * Whether the task has nothing to wait for any more. Asked under the lock of the
	 * lanes: it takes no lock that is held around a call of theirs, or both wait forever.
	 * @return {@code true} if its next step, the last one, is to be made at once
	 */
	boolean over();

}
