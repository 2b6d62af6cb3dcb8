/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.event;

/**
 * Says of a delivery that it was replayed, by which replay and as which of its messages.
 *
 * @param replayId the replay
 * @param item the message's id in the ledger
 */
public record ReplayReference(String replayId, long item) {

}
