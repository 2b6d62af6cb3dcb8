/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.throughput;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures one side once, and looks afterwards whether every message is where it belongs:
 * a hand-over that loses is fast for nothing.
 *
 * @param side what to measure
 * @param environment its queues
 */
record Measurement(Contender side, BenchmarkEnvironment environment) {

	private static final long LOOK_AGAIN = TimeUnit.MILLISECONDS.toNanos(20);

	private static final long LONGEST = TimeUnit.MINUTES.toNanos(1);

	/** As long as it may take until a closed channel's deliveries are counted again. */
	private static final int SAME_READINGS = 15;

	/**
	 * Runs the side until its goal is reached.
	 * @return messages per second
	 * @throws IllegalStateException if messages are lost, doubled or left behind
	 * @throws Exception if the broker or the side fails
	 */
	double run() throws Exception {
		long nanos;
		try (Consumption consumption = this.side.prepare(this.environment.layout())) {
			long begin = System.nanoTime();
			consumption.start();
			while (!this.side.goal().reached(this.environment)) {
				if (System.nanoTime() - begin > LONGEST) {
					throw wrong("not done after a minute");
				}
				LockSupport.parkNanos(LOOK_AGAIN);
			}
			nanos = System.nanoTime() - begin;
		}
		verify();
		return this.environment.messages() * 1e9 / nanos;
	}

	private void verify() throws IOException {
		int same = 0;
		int before = -1;
		while (same < SAME_READINGS) {
			int depth = this.environment.work();
			same = (depth == before && !this.environment.consumed()) ? same + 1 : 0;
			before = depth;
			LockSupport.parkNanos(LOOK_AGAIN);
		}
		if (!this.side.goal().kept(before, this.environment.target(), this.environment.messages())) {
			throw wrong("not as it should be in the end");
		}
	}

	private IllegalStateException wrong(String problem) throws IOException {
		return new IllegalStateException("%s: %s, of %s messages %s are ready in the work queue, %s in %s".formatted(
				this.side.name(), problem, this.environment.messages(), this.environment.work(),
				this.environment.target(), this.environment.layout().target()));
	}

}
