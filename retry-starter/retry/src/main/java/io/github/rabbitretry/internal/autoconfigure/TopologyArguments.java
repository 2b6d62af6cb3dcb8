/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

/**
 * What queues are declared with.
 */
enum TopologyArguments {

	/** With all that they need. */
	FULL,

	/**
	 * Only with what no policy can give, such as the type. Policies have to give the
	 * rest, which startup verifies. May lose messages: a policy of higher priority
	 * deletes waiting retries at the end of their delay.
	 */
	MINIMAL

}
