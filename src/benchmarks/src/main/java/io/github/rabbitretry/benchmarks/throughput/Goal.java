/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.throughput;

import java.io.IOException;

/**
 * What is to become of every message.
 */
enum Goal {

	/** It waits in the target queue, once. */
	HANDED_OVER {

		@Override
		boolean reached(BenchmarkEnvironment environment) throws IOException {
			return environment.target() >= environment.messages();
		}

		@Override
		boolean kept(int work, int target, int messages) {
			return work == 0 && target == messages;
		}

	},

	/** It is acknowledged. */
	HANDLED {

		@Override
		boolean reached(BenchmarkEnvironment environment) throws IOException {
			return Handled.count() >= environment.messages() && environment.work() == 0;
		}

		@Override
		boolean kept(int work, int target, int messages) {
			return work == 0 && target == 0;
		}

	},

	/**
	 * It waits in the work queue itself, where no depth counts it. So what can be seen is
	 * that it was delivered once, and is not there to be delivered again.
	 */
	DELAYED {

		@Override
		boolean reached(BenchmarkEnvironment environment) throws IOException {
			return Handled.count() >= environment.messages();
		}

		@Override
		boolean kept(int work, int target, int messages) {
			return work == 0 && Handled.count() == messages;
		}

	};

	/**
	 * Whether the clock stops.
	 * @param environment where to look
	 * @return {@code true} once all messages are where they belong, as far as the broker
	 * can tell while a consumer is active
	 * @throws IOException if the broker does not answer
	 */
	abstract boolean reached(BenchmarkEnvironment environment) throws IOException;

	/**
	 * Whether all messages are where they belong once the consumer is gone.
	 * @param work how many the work queue has
	 * @param target how many the target queue has
	 * @param messages how many there were
	 * @return {@code false} if one is lost, doubled or left behind
	 */
	abstract boolean kept(int work, int target, int messages);

}
