/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import org.jspecify.annotations.Nullable;

/**
 * The result of discarding messages, or of restoring discarded ones.
 *
 * @param count how many messages were discarded or restored, or would be
 * @param dryRun whether it was a dry run
 * @param auditId the id of the audit entry, by which the discarded messages can be
 * restored; 0 for a dry run, which is not audited
 * @param reserved how many messages were left out because active replays have selected
 * them
 * @param preview a preview of the messages, if it was a dry run
 */
public record Discarded(long count, boolean dryRun, long auditId, long reserved, @Nullable Preview preview) {
}
