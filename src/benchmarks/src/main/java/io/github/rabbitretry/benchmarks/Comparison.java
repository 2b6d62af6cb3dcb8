/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks;

import java.util.ArrayList;
import java.util.List;

import com.rabbitmq.client.Connection;

/**
 * Measures sides in turns, each round beginning with another one, so that what changes in
 * the course of a run (the JIT compiler, the broker's files, the neighbours) meets all of
 * them.
 */
final class Comparison {

	private static final int FIRST_GUESS = 500;

	/**
	 * In seconds. Spring's and our code is many methods deep: it takes about 60,000
	 * messages, some 10 seconds on two cores, until the JIT compiler is done with it.
	 */
	private static final double WARM_UP = 10;

	private static final int MOST_MESSAGES = 300_000;

	private final Connection connection;

	private final Goal goal;

	private final Options options;

	private int sites;

	Comparison(Connection connection, Goal goal, Options options) {
		this.connection = connection;
		this.goal = goal;
		this.options = options;
	}

	List<Result> run(List<Contender> sides) throws Exception {
		List<Result> results = new ArrayList<>();
		for (Contender side : sides) {
			results.add(new Result(side, warmUp(side)));
		}
		for (int round = 0; round < this.options.rounds(); round++) {
			for (int turn = 0; turn < sides.size(); turn++) {
				Result result = results.get((round + turn) % sides.size());
				double rate = measure(result.side(), (int) (result.latest() * this.options.seconds()));
				result.rates().add(rate);
				progress("round %d of %d: %s %.0f msg/s".formatted(round + 1, this.options.rounds(),
						result.side().name(), rate));
			}
		}
		return results;
	}

	/** More messages each time, until a measurement takes about as long as it should. */
	private double warmUp(Contender side) throws Exception {
		int messages = FIRST_GUESS;
		double spent = 0;
		double rate = 0;
		while (spent < WARM_UP) {
			rate = measure(side, messages);
			spent += messages / rate;
			messages = (int) (rate * this.options.seconds());
		}
		progress("warm-up: %s %.0f msg/s".formatted(side.name(), rate));
		return rate;
	}

	private double measure(Contender side, int messages) throws Exception {
		try (BenchmarkEnvironment environment = BenchmarkEnvironment.open(this.connection, "benchmark." + ++this.sites,
				Math.max(1, Math.min(messages, MOST_MESSAGES)))) {
			return new Measurement(side, this.goal, environment).run();
		}
	}

	private static void progress(String line) {
		System.err.println(line);
	}

}
