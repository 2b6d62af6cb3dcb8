/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.time.Duration;

/**
 * Is told how a hand-over ended, exactly once, on a thread of the publishing connection
 * or of the publisher. Must not block.
 */
public interface HandoverCallback {

	/**
	 * The copy is confirmed; the original has been acknowledged, or, if its channel
	 * closed at that moment, will be delivered again besides the copy.
	 * @param elapsed the time from the hand-over's beginning to the confirm
	 */
	void confirmed(Duration elapsed);

	/**
	 * The original is the broker's again, since its channel closed or the service stops.
	 * A copy may have been published all the same.
	 */
	void abandoned();

}
