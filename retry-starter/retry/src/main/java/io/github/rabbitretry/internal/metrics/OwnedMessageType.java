/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.metrics;

/**
 * A message type and its owner, as metrics name them.
 *
 * @param messageType the policy's name
 * @param owner its owner
 */
public record OwnedMessageType(String messageType, String owner) {
}
