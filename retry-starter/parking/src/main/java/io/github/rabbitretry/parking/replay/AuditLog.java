/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Who did what with parked messages, when and why. Entries are only ever added.
 */
public interface AuditLog {

	/** The most entries of a page. */
	int LARGEST_PAGE = 1000;

	/**
	 * Reads entries, the last one first.
	 * @param replayId the replay that they are about, or {@code null} for all
	 * @param before the id that all are before, or {@code null} for the last ones
	 * @param limit how many at most, from 1 to {@value #LARGEST_PAGE}
	 * @return the entries
	 */
	List<AuditEntry> entries(@Nullable String replayId, @Nullable Long before, int limit);

}
