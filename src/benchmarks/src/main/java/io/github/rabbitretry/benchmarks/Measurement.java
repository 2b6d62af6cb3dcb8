/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures one side once, and looks afterwards whether every message is where it belongs:
 * a hand-over that loses is fast for nothing.
 */
final class Measurement {

	private static final long LOOK_AGAIN = TimeUnit.MILLISECONDS.toNanos(20);

	private static final long LONGEST = TimeUnit.MINUTES.toNanos(1);

	/** As long as it may take until a closed channel's deliveries are counted again. */
	private static final int SAME_READINGS = 15;

	private final Contender side;

	private final Goal goal;

	private final BenchmarkEnvironment environment;

	Measurement(Contender side, Goal goal, BenchmarkEnvironment environment) {
		this.side = side;
		this.goal = goal;
		this.environment = environment;
	}

	/**
	 * Runs the side until the goal is reached.
	 * @return messages per second
	 * @throws WrongOutcomeException if messages are lost, doubled or left behind
	 * @throws Exception if the broker or the side fails
	 */
	double run() throws Exception {
		long nanos;
		try (Consumption consumption = this.side.prepare(this.environment)) {
			long begin = System.nanoTime();
			consumption.start();
			while (!this.goal.reached(this.environment)) {
				if (System.nanoTime() - begin > LONGEST) {
					throw new WrongOutcomeException(this.side, this.environment,
							"not done after a minute, %d are ready in the work queue, %d in the retry queue".formatted(
									this.environment.depth(this.environment.work()),
									this.environment.depth(this.environment.target())));
				}
				LockSupport.parkNanos(LOOK_AGAIN);
			}
			nanos = System.nanoTime() - begin;
		}
		verify();
		return this.environment.messages() * 1e9 / nanos;
	}

	private void verify() throws Exception {
		int same = 0;
		int before = -1;
		while (same < SAME_READINGS) {
			int depth = this.environment.depth(this.environment.work());
			same = (depth == before && !this.environment.consumed()) ? same + 1 : 0;
			before = depth;
			LockSupport.parkNanos(LOOK_AGAIN);
		}
		int target = this.environment.depth(this.environment.target());
		if (before != 0 || target != this.goal.left(this.environment)) {
			throw new WrongOutcomeException(this.side, this.environment,
					"%d are left in the work queue, %d in the retry queue".formatted(before, target));
		}
	}

}
