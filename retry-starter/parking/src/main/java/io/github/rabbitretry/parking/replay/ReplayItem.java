/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * One message of a replay.
 *
 * @param sequence its place, from 1
 * @param parkedId its id in the ledger
 * @param state where it stands
 * @param since since when
 * @param publishedAt when the broker had confirmed it, or {@code null} if it has not
 * @param detail why it can't be published, or {@code null} if it can
 */
public record ReplayItem(long sequence, long parkedId, ItemState state, Instant since, @Nullable Instant publishedAt,
		@Nullable String detail) {
}
