/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.depth;

/**
 * Messages that are ready in one parking lot.
 *
 * @param messageType the message type
 * @param owner who answers for it
 * @param queue the parking lot
 * @param messages how many there are
 */
public record ParkingLotDepth(String messageType, String owner, String queue, long messages) {
}
