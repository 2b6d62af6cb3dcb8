/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.ledger;

import java.time.Instant;

/**
 * How many messages of a type are parked.
 *
 * @param count how many
 * @param oldest when the oldest of them was parked
 */
public record ParkedDepth(long count, Instant oldest) {
}
