/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.util.List;

import io.github.rabbitretry.internal.parking.scan.ScanResult;
import io.github.rabbitretry.internal.parking.scan.ScanWindow;
import io.github.rabbitretry.parking.replay.Discarded;
import io.github.rabbitretry.parking.replay.Preview;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What came of discarding.
 *
 * @param discarded how many messages were discarded, or would be
 * @param dryRun whether they only would be
 * @param auditId where the audit tells of it, with a ledger; what this act discarded can
 * be restored by it
 * @param reserved how many were left out, since replays have selected them, with a ledger
 * @param preview samples, owners, the token and replays that have selected some, if it
 * was a dry run
 * @param uncertain how many others may have been discarded, without a ledger: the broker
 * did not confirm it
 * @param windows what was looked at, without a ledger
 * @param note what is not known, without a ledger
 */
record DiscardResponse(long discarded, boolean dryRun, @Nullable Long auditId, @Nullable Long reserved,
		@Nullable Preview preview, @Nullable Long uncertain, @Nullable List<ScanWindow> windows,
		@Nullable String note) implements OperationResponseBody {

	static DiscardResponse of(Discarded discarded) {
		return new DiscardResponse(discarded.count(), discarded.dryRun(), discarded.auditId(), discarded.reserved(),
				discarded.preview(), null, null, null);
	}

	static DiscardResponse of(ScanResult result, @Nullable Preview preview) {
		return new DiscardResponse(result.done(), result.dryRun(), null, null, preview, result.uncertain(),
				result.windows(), ParkedMessageSource.WITHOUT_LEDGER);
	}

}
