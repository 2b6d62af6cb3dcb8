/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import org.jspecify.annotations.Nullable;

/**
 * Names that differ from the derived ones; {@code null} leaves the derived name.
 *
 * @param retryPrefix what the names of retry queues begin with; default
 * {@code <queue>.retry}
 * @param ringExchange the exchange that leads into and out of the retry queues; default
 * {@code <queue>.retry}
 * @param deadLetterExchange default {@code <queue>.dlx}
 * @param deadLetterQueue default {@code <queue>.dlq}
 * @param parkingLot default {@code <queue>.parking-lot}
 * @param quarantine default {@code <queue>.quarantine}
 */
public record TopologyNames(@Nullable String retryPrefix, @Nullable String ringExchange,
		@Nullable String deadLetterExchange, @Nullable String deadLetterQueue, @Nullable String parkingLot,
		@Nullable String quarantine) {

	/**
	 * All names derived from the work queue's.
	 */
	public static final TopologyNames DERIVED = new TopologyNames(null, null, null, null, null, null);

}
