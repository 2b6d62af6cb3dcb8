/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.flood;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How long each message took.
 */
final class Latencies {

	private final List<Long> nanos = Collections.synchronizedList(new ArrayList<>());

	void add(long duration) {
		this.nanos.add(duration);
	}

	double millis(int percent) {
		List<Long> sorted = new ArrayList<>(this.nanos);
		Collections.sort(sorted);
		return sorted.get((int) Math.ceil(percent / 100.0 * sorted.size()) - 1) / 1e6;
	}

}
