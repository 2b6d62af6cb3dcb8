/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Selects entries of the audit that match all values that are set.
 *
 * @param replayId the replay that they concern, or {@code null} for any
 * @param user who acted, or {@code null} for anyone
 * @param action what was done, or {@code null} for anything
 * @param from done at this instant or later, or {@code null} for any
 * @param to done before this instant, or {@code null} for any
 */
public record AuditFilter(@Nullable String replayId, @Nullable String user, AuditEntry.@Nullable Action action,
		@Nullable Instant from, @Nullable Instant to) {

	/** Matches all entries. */
	public static final AuditFilter ALL = new AuditFilter(null, null, null, null, null);

	/**
	 * Selects the entries of a replay.
	 * @param replayId the replay
	 * @return the filter
	 */
	public static AuditFilter of(String replayId) {
		return new AuditFilter(replayId, null, null, null, null);
	}

}
