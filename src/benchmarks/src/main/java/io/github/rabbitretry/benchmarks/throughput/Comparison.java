/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.throughput;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import com.rabbitmq.client.Connection;
import io.github.rabbitretry.benchmarks.report.Options;

/**
 * Measures sides in turns, each round beginning with another one, so that what changes in
 * the course of a run (the JIT compiler, the broker's files, the neighbours) meets all of
 * them.
 *
 * @param connection where to fill queues
 * @param options {@code --rounds}, and {@code --seconds} for each
 * @param bytes the size of bodies
 */
record Comparison(Connection connection, Options options, int bytes) {

	private static final int FIRST_GUESS = 500;

	private static final int MOST_MESSAGES = 300_000;

	private static final AtomicInteger QUEUES = new AtomicInteger();

	/**
	 * Measures all sides.
	 * @param sides the sides
	 * @param warmUp how many seconds to run each before: Spring's and our code is many
	 * methods deep, and takes about 60,000 messages, some 10 seconds on two cores, until
	 * the JIT compiler is done with it
	 * @return a result for each
	 * @throws Exception if a side fails
	 */
	List<Rates> run(List<Contender> sides, int warmUp) throws Exception {
		List<Rates> all = new ArrayList<>();
		for (Contender side : sides) {
			all.add(new Rates(side, warmUp(side, warmUp)));
		}
		int rounds = this.options.get("--rounds");
		for (int round = 0; round < rounds; round++) {
			for (int turn = 0; turn < sides.size(); turn++) {
				Rates rates = all.get((round + turn) % sides.size());
				double rate = measure(rates.side(), (int) (rates.latest() * this.options.get("--seconds")));
				rates.rates().add(rate);
				progress("round %s of %s: %s %s msg/s".formatted(round + 1, rounds, rates.side().name(),
						Math.round(rate)));
			}
		}
		return all;
	}

	/** More messages each time, until a measurement takes about as long as it should. */
	private double warmUp(Contender side, int seconds) throws Exception {
		int messages = FIRST_GUESS;
		double spent = 0;
		double rate = 0;
		while (spent < seconds) {
			rate = measure(side, messages);
			spent += messages / rate;
			messages = (int) (rate * this.options.get("--seconds"));
		}
		progress("warm-up: %s %s msg/s".formatted(side.name(), Math.round(rate)));
		return rate;
	}

	private double measure(Contender side, int messages) throws Exception {
		Layout layout = side.layout("benchmark." + QUEUES.incrementAndGet());
		try (BenchmarkEnvironment environment = BenchmarkEnvironment.open(this.connection, layout,
				Math.max(1, Math.min(messages, MOST_MESSAGES)), this.bytes)) {
			return new Measurement(side, environment).run();
		}
	}

	private static void progress(String line) {
		System.err.println(line);
	}

}
