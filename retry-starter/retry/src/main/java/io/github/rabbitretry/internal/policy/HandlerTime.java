/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.policy;

import java.time.Duration;

/**
 * How long a call of a handler may take.
 *
 * @param timeout how long, unless the handler extends it
 * @param longestHold how long the handler can extend it at most, counted from the first
 * call for a delivery: before the broker takes the delivery back
 */
public record HandlerTime(Duration timeout, Duration longestHold) {
}
