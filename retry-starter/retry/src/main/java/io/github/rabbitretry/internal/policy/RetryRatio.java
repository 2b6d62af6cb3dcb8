/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.policy;

import java.time.Duration;

/**
 * How many of a message type's handler calls may be retries, in one process. Beyond it a
 * message that comes back waits on, unhandled, and its attempt is not used up.
 *
 * @param max retries as a part of first deliveries, more than 0 and at most 1
 * @param window the time over which both are counted
 * @param atLeast retries in a window that are always allowed, 1 or more, so that a
 * message type with little traffic is retried at all
 */
public record RetryRatio(double max, Duration window, int atLeast) {
}
