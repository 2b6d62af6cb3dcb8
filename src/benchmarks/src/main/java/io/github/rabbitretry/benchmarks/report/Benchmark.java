/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.report;

import java.util.Map;

/**
 * Something to be measured.
 */
public interface Benchmark {

	/**
	 * The options of its command.
	 * @return all of them, each with the number that it has where the command gives none,
	 * 0 for a flag
	 */
	Map<String, Integer> options();

	/**
	 * The options that make it short.
	 * @return those that {@code --quick} changes
	 */
	Map<String, Integer> quick();

	/**
	 * Measures. Progress goes to standard error.
	 * @param options the options
	 * @param results where figures go, the one that counts most at the end
	 * @throws Exception if that can't be done, or what is measured did something else
	 */
	void measure(Options options, Results results) throws Exception;

}
