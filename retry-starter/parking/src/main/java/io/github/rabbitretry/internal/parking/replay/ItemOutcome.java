/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import io.github.rabbitretry.parking.replay.ReplayItem;

/**
 * What became of one message.
 *
 * @param jobId the job
 * @param parkedId its id in the ledger
 * @param state the outcome
 */
record ItemOutcome(long jobId, long parkedId, ReplayItem.State state) {
}
