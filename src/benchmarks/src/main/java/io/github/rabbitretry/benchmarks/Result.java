/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks;

import java.util.ArrayList;
import java.util.List;

/**
 * What was measured of one side.
 *
 * @param side the side
 * @param warmUp messages per second at the warm-up's end
 * @param rates messages per second of each round
 */
record Result(Contender side, double warmUp, List<Double> rates) {

	Result(Contender side, double warmUp) {
		this(side, warmUp, new ArrayList<>());
	}

	double latest() {
		return this.rates.isEmpty() ? this.warmUp : this.rates.get(this.rates.size() - 1);
	}

	double median() {
		List<Double> sorted = this.rates.stream().sorted().toList();
		int half = sorted.size() / 2;
		return (sorted.size() % 2 == 1) ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
	}

}
