/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

/**
 * Whose queues messages wait in.
 */
public enum RetryQueueScope {

	/** Each message type has a retry queue of its own for each delay of its back-off. */
	PER_TYPE,

	/** Messages wait on the ladder of the virtual host, whatever their delay. */
	SHARED

}
