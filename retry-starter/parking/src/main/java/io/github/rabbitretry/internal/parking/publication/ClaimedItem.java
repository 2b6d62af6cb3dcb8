/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.publication;

/**
 * A message that is to be published.
 *
 * @param sequence its place in the job
 * @param parkedId its id in the ledger
 */
public record ClaimedItem(long sequence, long parkedId) {
}
