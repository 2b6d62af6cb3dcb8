/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

/**
 * What a queue is for.
 */
public enum QueueRole {

	/** Listened to by the service. */
	WORK,

	/** Listened to by the service, one message at a time. */
	QUARANTINE,

	/** Holds messages for one fixed delay. */
	RETRY,

	/** Takes messages that the broker dead-lettered. */
	DEAD_LETTER,

	/**
	 * Takes what has no queue to come back to, and what can't be received from a
	 * dead-letter queue; has no consumer.
	 */
	UNROUTABLE,

	/** Takes what people have to look at. */
	PARKING_LOT

}
