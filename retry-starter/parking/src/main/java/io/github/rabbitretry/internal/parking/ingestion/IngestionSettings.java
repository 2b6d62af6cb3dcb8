/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ingestion;

/**
 * How much the ingestion takes at once.
 *
 * @param batchSize how many messages go into a transaction at most, from 1 to 1000
 * @param batchBytes how many bytes of messages go into a transaction, the last message
 * aside; twice as many are held in memory at most, or a single larger message
 */
public record IngestionSettings(int batchSize, long batchBytes) {

	/** The default of {@link #batchBytes()}. */
	public static final long DEFAULT_BATCH_BYTES = 16 * 1024 * 1024;

	/** RabbitMQ lets a consumer of a quorum queue hold at most this many. */
	private static final int MOST_HELD = 2000;

	/** How many messages of one queue may be on their way at most. */
	int prefetch() {
		return Math.min(2 * this.batchSize, MOST_HELD);
	}

}
