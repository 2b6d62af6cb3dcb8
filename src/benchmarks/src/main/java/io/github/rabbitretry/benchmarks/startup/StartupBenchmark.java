/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.startup;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.rabbitretry.benchmarks.report.Benchmark;
import io.github.rabbitretry.benchmarks.report.BenchmarkApplication;
import io.github.rabbitretry.benchmarks.report.Figure;
import io.github.rabbitretry.benchmarks.report.Options;
import io.github.rabbitretry.benchmarks.report.Results;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.topology.TopologyParts;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * How long an application with hundreds of message types takes to start, by ring: on a
 * fresh broker, on one where all is declared already, and there without looking at it.
 */
public final class StartupBenchmark implements Benchmark {

	private static final String RING = "rabbit-retry.defaults.ring";

	@Override
	public Map<String, Integer> options() {
		return Map.of("--types", 300, "--rounds", 3);
	}

	@Override
	public Map<String, Integer> quick() {
		return Map.of("--rounds", 1);
	}

	@Override
	public void measure(Options options, Results results) {
		for (String ring : List.of("shared", "per-type")) {
			try (Broker broker = results.startBroker()) {
				measure(broker, ring, options, results);
				if (broker.canControl()) {
					// to stop in order takes long with thousands of queues
					broker.kill();
				}
			}
		}
	}

	private static void measure(Broker broker, String ring, Options options, Results results) {
		int types = options.get("--types");
		int rounds = options.get("--rounds");
		// classes are to be loaded, and queues of another name declared, before it counts
		start(broker, "warm-up", 1, Map.of(RING, ring));
		Start fresh = start(broker, "startup", types, Map.of(RING, ring));
		results.add(Figure.of(ring + ", queues", "", fresh.parts.queues().size()));
		results.add(Figure.of(ring + ", exchanges", "", fresh.parts.exchanges().size()));
		results.add(seconds(ring + ", nothing looked at", broker, types, rounds,
				Map.of(RING, ring, "rabbit-retry.topology.mode", "none")));
		results.add(seconds(ring + ", all declared", broker, types, rounds, Map.of(RING, ring)).atMost(5));
		results.add(Figure.of(ring + ", fresh broker", "s", fresh.seconds).atMost(25));
	}

	private static Figure seconds(String name, Broker broker, int types, int rounds, Map<String, Object> more) {
		List<Double> seconds = new ArrayList<>();
		for (int round = 0; round < rounds; round++) {
			seconds.add(start(broker, "startup", types, more).seconds);
		}
		return Figure.of(name, "s", seconds);
	}

	private static Start start(Broker broker, String prefix, int types, Map<String, Object> more) {
		Map<String, Object> properties = BenchmarkApplication.connectedTo(broker);
		properties.putAll(ManyTypes.listeners(prefix, types));
		properties.putAll(ManyTypes.policies(prefix, types));
		properties.putAll(more);
		long begin = System.nanoTime();
		ConfigurableApplicationContext context = BenchmarkApplication
			.of(properties, BenchmarkApplication.class, ManyTypes.class)
			.run();
		double seconds = (System.nanoTime() - begin) / 1e9;
		System.err.println(String.format(Locale.ROOT, "%s: %s types started in %.1f s", more, types, seconds));
		TopologyParts parts = TopologyParts.of(context.getBean(MessagePolicies.class).topologies());
		long stop = System.nanoTime();
		context.close();
		System.err.println(String.format(Locale.ROOT, "stopped in %.1f s", (System.nanoTime() - stop) / 1e9));
		return new Start(seconds, parts);
	}

	/** What a start came to. */
	private record Start(double seconds, TopologyParts parts) {
	}

}
