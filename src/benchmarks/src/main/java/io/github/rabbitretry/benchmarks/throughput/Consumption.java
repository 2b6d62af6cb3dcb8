/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.throughput;

/**
 * One consumer of a work queue, which has not started yet.
 */
interface Consumption extends AutoCloseable {

	/**
	 * Starts the consumer.
	 * @throws Exception if it can't
	 */
	void start() throws Exception;

	/**
	 * Ends the consumer in order; what it has not acknowledged is the work queue's again.
	 * @throws Exception if it can't
	 */
	@Override
	void close() throws Exception;

}
