/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Records who did what with parked messages, when and why. Entries are never changed or
 * removed.
 */
public interface AuditLog {

	/** The maximum number of entries in a page. */
	int LARGEST_PAGE = 1000;

	/**
	 * Reads entries, newest first.
	 * @param filter which ones
	 * @param before only return entries before this id, or {@code null} for the newest
	 * @param limit the maximum number of entries, from 1 to {@value #LARGEST_PAGE}
	 * @return the entries
	 */
	List<AuditEntry> entries(AuditFilter filter, @Nullable Long before, int limit);

}
