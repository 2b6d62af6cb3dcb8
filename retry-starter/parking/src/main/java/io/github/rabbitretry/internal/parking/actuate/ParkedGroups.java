/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.util.List;

import io.github.rabbitretry.internal.parking.scan.ScanWindow;
import io.github.rabbitretry.parking.message.FailureGroup;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Messages by what they failed of.
 *
 * @param groups the groups, largest first
 * @param windows what was looked at, without a ledger
 * @param note what is not known, without a ledger
 */
record ParkedGroups(List<FailureGroup> groups, @Nullable List<ScanWindow> windows,
		@Nullable String note) implements OperationResponseBody {
}
