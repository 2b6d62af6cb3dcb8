/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.throughput;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.github.rabbitretry.benchmarks.report.Figure;

/**
 * What was measured of one side.
 *
 * @param side the side
 * @param warmUp messages per second at the warm-up's end
 * @param rates messages per second of each round
 */
record Rates(Contender side, double warmUp, List<Double> rates) {

	Rates(Contender side, double warmUp) {
		this(side, warmUp, new ArrayList<>());
	}

	double latest() {
		return this.rates.isEmpty() ? this.warmUp : this.rates.get(this.rates.size() - 1);
	}

	Figure figure(String suffix) {
		return Figure.of(this.side.name() + suffix, "messages/s", this.rates);
	}

	/**
	 * Each round by the other's of the same round, since rounds differ more than sides.
	 */
	Figure by(Rates other, String name) {
		return Figure.of(name, "",
				IntStream.range(0, this.rates.size())
					.mapToObj((round) -> this.rates.get(round) / other.rates.get(round))
					.toList());
	}

}
