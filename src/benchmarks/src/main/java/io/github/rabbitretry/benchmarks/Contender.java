/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks;

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
	 * Gets everything ready up to the consumer's start, which is where the clock starts.
	 * @param environment whose work queue to consume
	 * @return what is to be started
	 * @throws Exception if it can't
	 */
	Consumption prepare(BenchmarkEnvironment environment) throws Exception;

}
