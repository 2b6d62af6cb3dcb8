/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.event;

import java.time.Duration;

/**
 * A message that has been failing for longer than {@code escalate-after} and is still
 * retried.
 *
 * @param messageType the policy's name
 * @param owner the owner of the message type
 * @param messageId the message's id as set by its producer, empty if it has none;
 * arbitrary text that must not be used as a metric tag
 * @param attempt the broker attempt that it waits for
 * @param age the time since its first failure
 * @param reason why it failed last
 */
public record EscalatedMessage(String messageType, String owner, String messageId, int attempt, Duration age,
		String reason) {
}
