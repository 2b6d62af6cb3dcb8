/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.drill;

import java.io.IOException;

/**
 * Something that is done to the worker, and what has to come of it.
 */
interface Experiment {

	/** What is tried, in a few words. */
	String title();

	/** What is done, in a sentence. */
	String done();

	/**
	 * Does it.
	 * @param environment where
	 * @param findings take what was expected and seen
	 * @throws IOException if broker or worker do not answer as they should
	 */
	void run(DrillEnvironment environment, Findings findings) throws IOException;

}
