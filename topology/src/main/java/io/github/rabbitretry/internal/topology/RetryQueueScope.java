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

	/** Each message type has retry queues of its own. */
	PER_TYPE,

	/** All message types with a shared ring wait in one set of delay levels. */
	SHARED

}
