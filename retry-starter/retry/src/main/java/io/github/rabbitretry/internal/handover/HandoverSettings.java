/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.time.Duration;

/**
 * Bounds of the hand-over.
 *
 * @param maxPending how many copies of one message type may be on their way at once,
 * beyond which listeners wait
 * @param confirmTimeout how long to wait for a confirm before a copy is published again
 * @param shutdownTimeout how long a stop waits for copies on their way
 */
public record HandoverSettings(int maxPending, Duration confirmTimeout, Duration shutdownTimeout) {
}
