/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.policy;

/**
 * What the sender of a request is told when its request is parked.
 */
public enum ParkReply {

	/** Nothing: it waits until its own timeout. */
	NONE,

	/** An error reply. */
	ERROR

}
