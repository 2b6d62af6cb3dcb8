/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.policy;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How the messages of a queue are kept in order.
 *
 * @param key what messages have in common that are handled one after the other, or
 * {@code null} for all messages of the queue
 * @param interval how long a message that failed waits
 * @param longestDelay how long it may wait once if that is requested
 * @param longestHold how long a delivery may be held, for itself and for those before it:
 * before the broker takes it back
 * @param blocksWhenParked whether consuming ends at a message that would be parked
 */
public record Ordering(@Nullable String key, Duration interval, Duration longestDelay, Duration longestHold,
		boolean blocksWhenParked) {
}
