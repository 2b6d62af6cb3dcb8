/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.export;

import java.util.List;

/**
 * What an export is made for.
 *
 * @param application what users' names begin with
 * @param virtualHost the virtual host
 * @param ledger whether the application consumes parking lots
 * @param writes exchanges that the application's own code publishes to
 * @param reads queues that the application's own code consumes, apart from those of
 * message policies
 */
public record ExportOptions(String application, String virtualHost, boolean ledger, List<String> writes,
		List<String> reads) {

	public ExportOptions {
		writes = List.copyOf(writes);
		reads = List.copyOf(reads);
	}

}
