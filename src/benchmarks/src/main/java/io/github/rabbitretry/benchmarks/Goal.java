/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks;

/**
 * What is to become of every message.
 */
enum Goal {

	/** It waits in the retry queue, once. */
	HANDED_OVER {

		@Override
		boolean reached(BenchmarkEnvironment environment) throws Exception {
			return environment.depth(environment.target()) >= environment.messages();
		}

		@Override
		int left(BenchmarkEnvironment environment) {
			return environment.messages();
		}

	},

	/** It is acknowledged. */
	HANDLED {

		@Override
		boolean reached(BenchmarkEnvironment environment) throws Exception {
			return SucceedingListener.handled() >= environment.messages() && environment.depth(environment.work()) == 0;
		}

		@Override
		int left(BenchmarkEnvironment environment) {
			return 0;
		}

	};

	/**
	 * Whether the clock stops.
	 * @param environment where to look
	 * @return {@code true} once all messages are where they belong, as far as the broker
	 * true while a consumer is active
	 * @throws Exception if the broker does not answer
	 */
	abstract boolean reached(BenchmarkEnvironment environment) throws Exception;

	/**
	 * How many messages the retry queue must have in the end.
	 * @param environment where the messages were
	 * @return a number
	 */
	abstract int left(BenchmarkEnvironment environment);

}
