/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.event;

/**
 * Identifies the replay that published a delivery, and the message of that replay.
 *
 * @param replayId the replay
 * @param item the message's id in the ledger
 */
public record ReplayReference(String replayId, long item) {

}
