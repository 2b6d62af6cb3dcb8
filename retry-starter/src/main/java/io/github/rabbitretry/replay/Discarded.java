/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.replay;

/**
 * What came of discarding.
 *
 * @param count how many messages were discarded, or would be
 * @param dryRun whether they only would be
 * @param auditId where the audit tells of it
 */
public record Discarded(long count, boolean dryRun, long auditId) {
}
