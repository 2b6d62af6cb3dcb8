/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

/**
 * The type of every queue of a topology.
 */
public enum QueueType {

	/** Replicated; dead-letters at least once; counts deliveries. */
	QUORUM,

	/**
	 * For brokers that need it: dead-letters at most once, so a message can be lost on
	 * its way back from a retry queue, and no delivery limit stops a message that kills
	 * its consumers.
	 */
	CLASSIC

}
