/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.throughput;

/**
 * One side of a comparison: a way to consume a work queue.
 */
interface Contender {

	/**
	 * What stands in the table.
	 * @return a few words
	 */
	String name();

	/**
	 * What is to become of every message.
	 * @return where the clock stops
	 */
	Goal goal();

	/**
	 * The queues that it needs.
	 * @param work the work queue's name
	 * @return the work queue and what belongs to it
	 */
	Layout layout(String work);

	/**
	 * Gets everything ready up to the consumer's start, which is where the clock starts.
	 * @param layout whose work queue to consume
	 * @return what is to be started
	 * @throws Exception if it can't
	 */
	Consumption prepare(Layout layout) throws Exception;

}
