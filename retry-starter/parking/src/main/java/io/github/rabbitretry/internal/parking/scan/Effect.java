/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.scan;

/**
 * What is known of acknowledged messages when their window was given back.
 */
enum Effect {

	/** They are gone: the queue has as many messages as it must have without them. */
	GONE,

	/**
	 * The broker took the acknowledgements. The number of messages proves nothing, since
	 * more were parked meanwhile or somebody else takes messages.
	 */
	SENT,

	/**
	 * Channel or connection broke: the messages are gone, or in the queue, or will be
	 * when the broker notices.
	 */
	UNKNOWN

}
