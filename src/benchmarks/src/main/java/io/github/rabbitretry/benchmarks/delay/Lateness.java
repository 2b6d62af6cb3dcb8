/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.delay;

import java.time.Duration;
import java.util.List;

/**
 * How late messages came back.
 *
 * @param name who had them wait
 * @param sorted by how much, the least first; negative if early
 * @param exact how many were neither early nor later than 1 s or 2 % of the delay,
 * whichever is more
 */
record Lateness(String name, List<Duration> sorted, int exact) {

	/**
	 * A quantile of the lateness.
	 * @param part from 0 to 1
	 * @return milliseconds
	 */
	long millis(double part) {
		int index = (int) Math.ceil(part * this.sorted.size()) - 1;
		return this.sorted.get(Math.max(index, 0)).toMillis();
	}

}
