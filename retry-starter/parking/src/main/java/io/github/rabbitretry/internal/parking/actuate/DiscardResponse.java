/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import io.github.rabbitretry.parking.replay.Discarded;
import io.github.rabbitretry.parking.replay.Preview;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What came of discarding.
 *
 * @param discarded how many messages were discarded, or would be
 * @param dryRun whether they only would be
 * @param auditId where the audit tells of it; what this act discarded can be restored by
 * it
 * @param reserved how many were left out, since replays have selected them
 * @param preview samples, owners, the token and replays that have selected some, if it
 * was a dry run
 */
record DiscardResponse(long discarded, boolean dryRun, @Nullable Long auditId, @Nullable Long reserved,
		@Nullable Preview preview) implements OperationResponseBody {

	static DiscardResponse of(Discarded discarded) {
		return new DiscardResponse(discarded.count(), discarded.dryRun(), discarded.auditId(), discarded.reserved(),
				discarded.preview());
	}

}
