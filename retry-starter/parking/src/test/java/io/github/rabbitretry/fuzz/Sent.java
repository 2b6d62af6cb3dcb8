/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.fuzz;

/**
 * What the broker answered to a message.
 */
enum Sent {

	/** It is the broker's now. */
	CONFIRMED,

	/** It was sent alone, and the broker refused it. */
	REFUSED,

	/** The connection ended before the broker answered. */
	UNKNOWN

}
