/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import java.util.List;

import io.github.rabbitretry.parking.replay.AuditEntry;
import io.github.rabbitretry.parking.replay.DryRun;
import io.github.rabbitretry.parking.replay.ReplayItem;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Answers about replays, each of one field or few. Spring Boot writes them with its own
 * JSON settings, whatever the application's are.
 */
sealed interface EndpointResponse extends OperationResponseBody {

	/**
	 * Replays.
	 *
	 * @param replays the replays, the last one begun first
	 * @param note why there are none, without a ledger
	 */
	record Jobs(List<JobResponse> replays, @Nullable String note) implements EndpointResponse {
	}

	/**
	 * Messages of a replay.
	 *
	 * @param messages the messages, in their order
	 * @param next what to give as {@code after} for the next page, or {@code null} if
	 * there is none
	 */
	record Items(List<ReplayItem> messages, @Nullable Long next) implements EndpointResponse {
	}

	/**
	 * What was done.
	 *
	 * @param entries entries, the last one first
	 * @param next what to give as {@code before} for the next page, or {@code null} if
	 * there is none
	 */
	record Audit(List<AuditEntry> entries, @Nullable Long next) implements EndpointResponse {
	}

	/**
	 * What a replay would do.
	 *
	 * @param dryRun what is known of it
	 */
	record Tried(DryRun dryRun) implements EndpointResponse {
	}

}
