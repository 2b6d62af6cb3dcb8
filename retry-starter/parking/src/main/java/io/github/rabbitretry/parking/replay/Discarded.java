/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import org.jspecify.annotations.Nullable;

/**
 * What came of discarding, or of restoring what was discarded.
 *
 * @param count how many messages were discarded or restored, or would be
 * @param dryRun whether they only would be
 * @param auditId where the audit tells of it; what was discarded by this act can be
 * restored by this number
 * @param reserved how many messages were left out, since replays that have not ended have
 * selected them
 * @param preview what there is, if it was a dry run
 */
public record Discarded(long count, boolean dryRun, long auditId, long reserved, @Nullable Preview preview) {
}
