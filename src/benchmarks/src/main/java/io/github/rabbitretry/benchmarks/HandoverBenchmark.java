/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks;

import java.util.List;

import io.github.rabbitretry.broker.Broker;

/**
 * How fast failed messages are handed over: published into a retry queue, confirmed, and
 * only then acknowledged. Ours, Spring's own recipe, and a bare client as the limit.
 */
public final class HandoverBenchmark {

	private HandoverBenchmark() {
	}

	/**
	 * Measures and prints; the last line is {@code ratio}, ours by the recipe.
	 * @param arguments {@code --rounds}, {@code --seconds}
	 */
	public static void main(String[] arguments) {
		Benchmark.main(arguments, HandoverBenchmark::on);
	}

	private static Benchmark on(Broker broker) {
		return new Benchmark(Goal.HANDED_OVER,
				new SpringContender("Rabbit Retry", broker, WithPolicy.class, FailingListener.class),
				new SpringContender("RepublishMessageRecovererWithConfirms", broker, Recipe.class,
						FailingListener.class),
				List.of(new BareContender(broker)));
	}

}
