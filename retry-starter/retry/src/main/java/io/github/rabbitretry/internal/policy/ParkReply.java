/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.policy;

/**
 * The reply to the sender of a request when the request is parked.
 */
public enum ParkReply {

	/** Nothing: it waits until its own timeout. */
	NONE,

	/** An error reply. */
	ERROR

}
