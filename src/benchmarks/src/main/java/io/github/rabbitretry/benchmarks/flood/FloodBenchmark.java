/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.flood;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.github.rabbitretry.benchmarks.report.Benchmark;
import io.github.rabbitretry.benchmarks.report.Figure;
import io.github.rabbitretry.benchmarks.report.Options;
import io.github.rabbitretry.benchmarks.report.Results;
import io.github.rabbitretry.broker.Broker;

/**
 * What poison messages, which no handler can read, cost the healthy ones on their queue:
 * both arrive at a steady rate. The control gets as many healthy messages instead of the
 * poison, since more messages of any kind take longer.
 */
public final class FloodBenchmark implements Benchmark {

	/** For Spring's recipe, whose queue becomes longer as long as poison comes. */
	private static final long LONGEST = TimeUnit.MINUTES.toNanos(5);

	private static final int[] PERCENTS = { 50, 99 };

	@Override
	public Map<String, Integer> options() {
		return Map.of("--poison", 100_000, "--poison-rate", 2_000, "--healthy-rate", 200, "--rounds", 2, "--warm-up",
				15);
	}

	@Override
	public Map<String, Integer> quick() {
		return Map.of("--poison", 40_000);
	}

	@Override
	public void measure(Options options, Results results) throws Exception {
		ConnectionFactory factory = new ConnectionFactory();
		try (Broker broker = results.startBroker()) {
			factory.setUri(broker.amqpUri());
			try (FloodedApplication ours = FloodedApplication.ours(broker);
					FloodedApplication recipe = FloodedApplication.recipe(broker);
					Connection connection = factory.newConnection("producer")) {
				measure(options, results, new Traffic(ours, connection.createChannel()),
						new Traffic(recipe, connection.createChannel()));
			}
		}
	}

	private static void measure(Options options, Results results, Traffic ours, Traffic recipe) throws Exception {
		int rounds = options.get("--rounds");
		int seconds = Math.max(1, options.get("--poison") / options.get("--poison-rate") / rounds);
		Rates alone = new Rates(options.get("--healthy-rate"), 0, 0);
		Rates control = new Rates(alone.healthy, options.get("--poison-rate"), 0);
		Rates poison = new Rates(alone.healthy, 0, options.get("--poison-rate"));
		run(ours, options.get("--warm-up"), control);
		run(ours, options.get("--warm-up"), poison);
		List<Latencies> withoutMore = new ArrayList<>();
		List<Latencies> withHealthy = new ArrayList<>();
		List<Latencies> withPoison = new ArrayList<>();
		List<Latencies> recipeWithPoison = new ArrayList<>();
		for (int round = 0; round < rounds; round++) {
			withoutMore.add(run(ours, seconds, alone));
			withHealthy.add(run(ours, seconds, control));
			withPoison.add(run(ours, seconds, poison));
			recipeWithPoison.add(run(recipe, seconds, poison));
		}
		for (int percent : PERCENTS) {
			results.add(millis("p%s alone", percent, withoutMore));
			results.add(millis("p%s with as many healthy ones", percent, withHealthy));
			results.add(millis("p%s with poison", percent, withPoison));
			results.add(millis("p%s with poison, the recipe", percent, recipeWithPoison));
		}
		for (int percent : PERCENTS) {
			results
				.add(ratio("p%s with poison, by as many healthy ones", percent, withPoison, withHealthy).atMost(1.3));
		}
	}

	private static Figure millis(String name, int percent, List<Latencies> rounds) {
		return Figure.of(name.formatted(percent), "ms", rounds.stream().map((round) -> round.millis(percent)).toList());
	}

	private static Figure ratio(String name, int percent, List<Latencies> rounds, List<Latencies> controls) {
		List<Double> ratios = new ArrayList<>();
		for (int round = 0; round < rounds.size(); round++) {
			ratios.add(rounds.get(round).millis(percent) / controls.get(round).millis(percent));
		}
		return Figure.of(name.formatted(percent), "", ratios);
	}

	/** Runs one round to the end, when each message is handled or parked. */
	private static Latencies run(Traffic traffic, int seconds, Rates rates) throws Exception {
		Latencies latencies = traffic.publish(seconds, rates);
		long end = System.nanoTime() + LONGEST;
		while (!traffic.done()) {
			if (System.nanoTime() - end > 0) {
				throw new IllegalStateException(
						"Not done after %s s: %s".formatted(TimeUnit.NANOSECONDS.toSeconds(LONGEST), traffic));
			}
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
		}
		System.err.println(String.format(Locale.ROOT, "%s for %s s, %s: p50 %.2f ms, p99 %.2f ms", traffic, seconds,
				rates, latencies.millis(50), latencies.millis(99)));
		return latencies;
	}

	/**
	 * How many messages are published per second.
	 *
	 * @param healthy those whose latency is measured
	 * @param more other healthy ones
	 * @param poison those that no handler can read
	 */
	record Rates(int healthy, int more, int poison) {
	}

}
