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
 * What came of restoring what was discarded.
 *
 * @param restored how many messages are parked again, or would be
 * @param dryRun whether they only would be
 * @param auditId where the audit tells of it
 * @param preview samples, owners and the token, if it was a dry run
 */
record RestoreResponse(long restored, boolean dryRun, long auditId,
		@Nullable Preview preview) implements OperationResponseBody {

	static RestoreResponse of(Discarded restored) {
		return new RestoreResponse(restored.count(), restored.dryRun(), restored.auditId(), restored.preview());
	}

}
