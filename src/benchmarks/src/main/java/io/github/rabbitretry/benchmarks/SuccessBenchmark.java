/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks;

import java.util.List;

import io.github.rabbitretry.broker.Broker;

/**
 * What a policy costs while nothing fails: the same listener on a queue with a policy and
 * on one without.
 */
public final class SuccessBenchmark {

	private SuccessBenchmark() {
	}

	/**
	 * Measures and prints; the last line is {@code ratio}, with a policy by without.
	 * @param arguments {@code --rounds}, {@code --seconds}
	 */
	public static void main(String[] arguments) {
		Benchmark.main(arguments, SuccessBenchmark::on);
	}

	private static Benchmark on(Broker broker) {
		return new Benchmark(Goal.HANDLED,
				new SpringContender("with a policy", broker, WithPolicy.class, SucceedingListener.class),
				new SpringContender("without", broker, WithoutPolicy.class, SucceedingListener.class), List.of());
	}

}
