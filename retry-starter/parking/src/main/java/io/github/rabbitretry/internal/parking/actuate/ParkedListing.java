/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.util.List;

import io.github.rabbitretry.internal.parking.scan.ScanWindow;
import io.github.rabbitretry.parking.message.ParkedSummary;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * A page of messages.
 *
 * @param messages the messages, last parked first
 * @param next what to give as {@code after} for the next page, or {@code null} if there
 * is none
 * @param total how many match, if that was asked for
 * @param windows what was looked at, without a ledger
 * @param note what is not known, without a ledger
 */
record ParkedListing(List<ParkedSummary> messages, @Nullable String next, @Nullable Long total,
		@Nullable List<ScanWindow> windows, @Nullable String note) implements OperationResponseBody {
}
