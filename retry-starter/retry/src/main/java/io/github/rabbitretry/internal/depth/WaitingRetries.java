/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.depth;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Messages that wait in one retry queue.
 *
 * @param messageType the message type, or {@code null} for a ladder that services share
 * @param queue the retry queue
 * @param delay how long it holds each message
 * @param messages how many there are
 * @param backBy when all that are there now are back in their work queues at the latest,
 * or {@code null} if there are none
 */
public record WaitingRetries(@Nullable String messageType, String queue, Duration delay, long messages,
		@Nullable Instant backBy) {
}
