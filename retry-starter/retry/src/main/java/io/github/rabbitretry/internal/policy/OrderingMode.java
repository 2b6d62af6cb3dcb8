/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.policy;

/**
 * Which messages of a queue are handled one after the other.
 */
public enum OrderingMode {

	/** None. */
	NONE,

	/** All of them. */
	QUEUE,

	/** Those with the same key. */
	KEY

}
