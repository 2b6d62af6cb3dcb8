/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.depth;

import java.time.Instant;

/**
 * How many messages of a type are parked.
 *
 * @param count how many
 * @param oldest when the oldest of them was parked
 */
public record ParkedDepth(long count, Instant oldest) {

	/** There are none. */
	public static final ParkedDepth NONE = new ParkedDepth(0, Instant.MAX);

	/** The number is unknown. */
	public static final ParkedDepth UNKNOWN = new ParkedDepth(-1, Instant.MAX);

}
