/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.delay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.github.rabbitretry.benchmarks.report.Benchmark;
import io.github.rabbitretry.benchmarks.report.Figure;
import io.github.rabbitretry.benchmarks.report.Options;
import io.github.rabbitretry.benchmarks.report.Results;
import io.github.rabbitretry.broker.Broker;

/**
 * How exact delays are that are asked for while others wait: ours, and a TTL per message
 * in one queue, at the same time, with the same delays.
 */
public final class DelayBenchmark implements Benchmark {

	/** All others still wait when the delays are asked for. */
	private static final Duration SHORTEST_OTHER = Duration.ofSeconds(15);

	@Override
	public Map<String, Integer> options() {
		return Map.of("--asked", 20, "--others", 10_000, "--longest", 120, "--seed", 1);
	}

	@Override
	public Map<String, Integer> quick() {
		return Map.of("--longest", 30);
	}

	@Override
	public void measure(Options options, Results results) throws Exception {
		Random random = new Random(options.get("--seed"));
		Duration longest = Duration.ofSeconds(options.get("--longest"));
		List<Duration> asked = DelayRun.random(random, options.get("--asked"), Duration.ofSeconds(1), longest);
		List<Duration> others = DelayRun.random(random, options.get("--others"), SHORTEST_OTHER,
				longest.plus(SHORTEST_OTHER));
		try (Broker broker = results.startBroker()) {
			ConnectionFactory factory = new ConnectionFactory();
			factory.setUri(broker.amqpUri());
			try (Connection connection = factory.newConnection("benchmark")) {
				List<DelayRun> runs = new ArrayList<>();
				for (DelayMechanism way : List.of(new MessageTtlDelay(), new LadderDelay())) {
					DelayRun run = new DelayRun(way, others, asked);
					run.begin(connection);
					runs.add(run);
				}
				for (DelayRun run : runs) {
					Lateness late = run.await();
					results
						.add(Figure.of(late.name() + ", in time and not early, of " + asked.size(), "", late.exact()));
					for (int percent : new int[] { 0, 50, 95, 100 }) {
						results.add(Figure.of(late.name() + ", late, p" + percent, "ms", late.millis(percent / 100.0)));
					}
					results.add(bounded(late));
				}
			}
		}
	}

	private static Figure bounded(Lateness late) {
		Figure figure = Figure.of(late.name() + ", late, p99", "ms", late.millis(0.99));
		return late.name().equals(new LadderDelay().name()) ? figure.atMost(100) : figure;
	}

}
