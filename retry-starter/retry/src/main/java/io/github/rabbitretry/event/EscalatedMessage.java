/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.event;

import java.time.Duration;

/**
 * A message that keeps failing for longer than its owner wants to stay unaware of, and is
 * tried on.
 *
 * @param messageType the policy's name
 * @param owner who answers for the message type
 * @param messageId the message's id as its producer wrote it, empty if it has none;
 * anybody's text, and never fit for a metric's tag
 * @param attempt the broker attempt that it waits for
 * @param age the time since its first failure
 * @param reason why it failed last
 */
public record EscalatedMessage(String messageType, String owner, String messageId, int attempt, Duration age,
		String reason) {
}
