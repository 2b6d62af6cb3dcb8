/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.util.List;

import io.github.rabbitretry.internal.parking.scan.ScanWindow;
import io.github.rabbitretry.parking.message.FailureGroup;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.message.ParkedFilter;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Messages by what they failed of.
 *
 * @param groups the groups, largest first
 * @param windows what was looked at, without a ledger
 * @param note what is not known
 */
record ParkedGroups(List<FailureGroup> groups, @Nullable List<ScanWindow> windows,
		@Nullable String note) implements OperationResponseBody {

	/** That a version is not known is not that it brought nothing new. */
	static ParkedGroups newSince(Ledger ledger, ParkedFilter filter, String handlerVersion, int size) {
		List<FailureGroup> groups = ledger.groupsNewSince(filter, handlerVersion, size);
		boolean known = !groups.isEmpty() || ledger.count(ParkedFilter.ALL.withHandlerVersion(handlerVersion)) > 0;
		return new ParkedGroups(groups, null, known ? null
				: "The ledger has no message that failed in handler version '%s': nothing has failed in it, or there is no such version."
					.formatted(handlerVersion));
	}

}
