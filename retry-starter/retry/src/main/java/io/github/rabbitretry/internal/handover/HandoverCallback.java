/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.time.Duration;

/**
 * Is notified of the end of a hand-over, exactly once and on a thread of the publishing
 * connection or of the publisher. Must not block.
 */
public interface HandoverCallback {

	/**
	 * The copy is confirmed; the original has been acknowledged, or, if its channel
	 * closed at that moment, will be delivered again besides the copy.
	 * @param elapsed the time from the hand-over's beginning to the confirm
	 */
	void confirmed(Duration elapsed);

	/**
	 * The copy was not confirmed this time. Besides {@link #confirmed} and
	 * {@link #abandoned}, as often as it happens.
	 * @param why why not
	 * @param text what the broker said, empty if it said nothing
	 * @return whether it is published again, which is what an original that is held
	 * needs; if not, its way ends here, and nothing more is reported
	 */
	default boolean failed(PublicationFailure why, String text) {
		return true;
	}

	/**
	 * The original is the broker's again, since its channel closed or the service stops.
	 * A copy may have been published all the same.
	 */
	void abandoned();

}
