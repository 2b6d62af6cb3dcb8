/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.policy;

import java.time.Duration;

/**
 * How messages that were handled are remembered.
 *
 * @param store where, and never {@link DeduplicationStore#NONE}
 * @param retention for how long, where the store is one of ours
 * @param maxMessages how many at most, in memory
 */
public record Deduplication(DeduplicationStore store, Duration retention, int maxMessages) {
}
