/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.topology;

/**
 * Where the messages of a type wait.
 */
public enum Ring {

	/** In queues of their own. */
	PER_TYPE,

	/** In one set of delay levels that all types with this setting share. */
	SHARED

}
