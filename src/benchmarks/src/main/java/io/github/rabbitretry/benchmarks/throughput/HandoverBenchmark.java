/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.throughput;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.Connection;
import io.github.rabbitretry.benchmarks.report.Benchmark;
import io.github.rabbitretry.benchmarks.report.Options;
import io.github.rabbitretry.benchmarks.report.Results;
import io.github.rabbitretry.broker.Broker;

/**
 * How fast failed messages are handed over: published into a retry queue, confirmed, and
 * only then acknowledged. Ours, Spring's own recipe, and a bare client as the limit.
 */
public final class HandoverBenchmark implements Benchmark {

	@Override
	public Map<String, Integer> options() {
		return Map.of("--rounds", 5, "--seconds", 3, "--warm-up", 60, "--peers", 0, "--distant", 0);
	}

	@Override
	public Map<String, Integer> quick() {
		return Map.of("--rounds", 2, "--warm-up", 5);
	}

	@Override
	public void measure(Options options, Results results) throws Exception {
		try (Broker broker = results.startBroker(); DelayingProxy proxy = new DelayingProxy(broker)) {
			Route route = options.has("--distant") ? proxy.route() : Route.direct(broker);
			FailingContenders contenders = new FailingContenders(route);
			List<Contender> sides = new ArrayList<>(
					List.of(contenders.rabbitRetry(), contenders.recipe(), new BareContender(route)));
			if (options.has("--peers")) {
				sides.addAll(contenders.peers());
			}
			// what prepares and counts need not wait
			try (Connection connection = Route.direct(broker).factory().newConnection("benchmark")) {
				List<Rates> rates = new Comparison(connection, options, 256).run(sides, options.get("--warm-up"));
				rates.forEach((side) -> results.add(side.figure("")));
				results.add(rates.get(0).by(rates.get(2), "ratio to the bare client").atLeast(0.8));
				results.add(rates.get(0).by(rates.get(1), "ratio to the recipe").atLeast(20));
			}
		}
	}

}
