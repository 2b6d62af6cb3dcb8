/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.throughput;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.github.rabbitretry.benchmarks.report.Benchmark;
import io.github.rabbitretry.benchmarks.report.Figure;
import io.github.rabbitretry.benchmarks.report.Options;
import io.github.rabbitretry.benchmarks.report.Results;
import io.github.rabbitretry.broker.Broker;

/**
 * What a policy costs while nothing fails: the same listener on a queue with a policy and
 * on one without, by the container's settings.
 */
public final class SuccessBenchmark implements Benchmark {

	private static final ContainerSetting PLAIN = ContainerSetting.DEFAULT;

	/** Each value at least once, the one first with which code is compiled soonest. */
	private static final List<ContainerSetting> SOME = List.of(PLAIN, new ContainerSetting("simple", 1, 1, 256),
			new ContainerSetting("simple", 50, 4, 4096), new ContainerSetting("simple", 250, 16, 256),
			new ContainerSetting("direct", 250, 1, 256), new ContainerSetting("direct", 50, 4, 256));

	@Override
	public Map<String, Integer> options() {
		return Map.of("--rounds", 5, "--seconds", 2, "--warm-up", 10, "--grid", 0);
	}

	@Override
	public Map<String, Integer> quick() {
		return Map.of("--rounds", 3, "--seconds", 1, "--warm-up", 5);
	}

	@Override
	public void measure(Options options, Results results) throws Exception {
		try (Broker broker = results.startBroker()) {
			ConnectionFactory factory = new ConnectionFactory();
			factory.setUri(broker.amqpUri());
			try (Connection connection = factory.newConnection("benchmark")) {
				Set<String> compiled = new HashSet<>();
				Figure ratio = null;
				for (ContainerSetting setting : options.has("--grid") ? grid() : SOME) {
					Comparison comparison = new Comparison(connection, options, setting.bytes());
					// each type of container has code of its own
					int warmUp = compiled.add(setting.type()) ? options.get("--warm-up") : 1;
					List<Rates> rates = comparison.run(List.of(side("with a policy", broker, setting, true),
							side("without", broker, setting, false)), warmUp);
					rates.forEach((side) -> results.add(side.figure(", " + setting)));
					if (setting.equals(PLAIN)) {
						ratio = rates.get(0).by(rates.get(1), "ratio to no policy").atLeast(1.15);
					}
					else {
						results.add(rates.get(0).by(rates.get(1), "ratio to no policy, " + setting).atLeast(1));
					}
				}
				results.add(Objects.requireNonNull(ratio));
			}
		}
	}

	private static SpringContender side(String name, Broker broker, ContainerSetting setting, boolean policy) {
		return new SpringContender(name, Route.direct(broker), Goal.HANDLED, Layout::retrying,
				policy ? setting.and(SpringContender.POLICY) : setting.properties(), SucceedingListener.class);
	}

	/** All combinations. */
	private static List<ContainerSetting> grid() {
		List<ContainerSetting> grid = new ArrayList<>();
		for (String type : List.of("simple", "direct")) {
			for (int prefetch : new int[] { 1, 50, 250 }) {
				for (int consumers : new int[] { 1, 4, 16 }) {
					for (int bytes : new int[] { 256, 4096 }) {
						grid.add(new ContainerSetting(type, prefetch, consumers, bytes));
					}
				}
			}
		}
		grid.remove(PLAIN);
		grid.add(0, PLAIN);
		return grid;
	}

}
