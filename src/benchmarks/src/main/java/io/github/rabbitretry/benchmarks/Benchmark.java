/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks;

import java.util.ArrayList;
import java.util.List;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.broker.NoBrokerException;

/**
 * Runs a comparison on a broker of its own and prints what came out.
 *
 * @param goal what is to become of every message
 * @param numerator the side that the ratio is about
 * @param reference the side that it is compared with
 * @param others sides that only stand in the table
 */
record Benchmark(Goal goal, Contender numerator, Contender reference, List<Contender> others) {

	/**
	 * Runs it.
	 * @param broker where
	 * @param options how long
	 * @throws Exception if anything fails; a side that loses a message is a
	 * {@link WrongOutcomeException}
	 */
	void run(Broker broker, Options options) throws Exception {
		List<Contender> sides = new ArrayList<>(List.of(this.numerator, this.reference));
		sides.addAll(this.others);
		ConnectionFactory factory = new ConnectionFactory();
		factory.setUri(broker.amqpUri());
		try (Connection connection = factory.newConnection("benchmark")) {
			List<Result> results = new Comparison(connection, this.goal, options).run(sides);
			new BenchmarkReport(results, this.reference).print(System.out, this.numerator, broker);
		}
	}

	/**
	 * What a {@code main} method does: finds a broker, runs, and ends the JVM, with 0
	 * whatever the ratio, with 1 if anything failed.
	 * @param arguments the command's
	 * @param benchmark makes the benchmark
	 */
	static void main(String[] arguments, OnBroker benchmark) {
		int status = 1;
		try {
			Options options = Options.of(arguments);
			try (Broker broker = Broker.start()) {
				System.err.println(broker.description());
				benchmark.on(broker).run(broker, options);
			}
			status = 0;
		}
		catch (IllegalArgumentException | NoBrokerException | WrongOutcomeException ex) {
			System.err.println(ex.getMessage());
		}
		catch (Exception ex) {
			ex.printStackTrace();
		}
		System.exit(status);
	}

	/**
	 * Makes a benchmark once its broker is known.
	 */
	interface OnBroker {

		Benchmark on(Broker broker);

	}

}
