/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.throughput;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

import io.github.rabbitretry.benchmarks.report.BenchmarkApplication;

import org.springframework.util.ObjectUtils;

/**
 * A Spring Boot application with one listener.
 *
 * @param name what stands in the table
 * @param route leads to the broker
 * @param goal what is to become of every message
 * @param queues the layout for a work queue's name
 * @param properties the application's
 * @param sources its configuration classes, the listener among them
 */
record SpringContender(String name, Route route, Goal goal, Function<String, Layout> queues,
		Map<String, Object> properties, Class<?>... sources) implements Contender {

	/** One retry, later than any measurement ends. */
	static final Map<String, Object> POLICY = policy(Map.of("queue", "${benchmark.work}", "local-attempts", 1,
			"broker-attempts", 1, "retry-backoff", "fixed", "initial-delay", Layout.DELAY));

	private static Map<String, Object> policy(Map<String, Object> keys) {
		Map<String, Object> properties = new HashMap<>();
		keys.forEach((key, value) -> properties.put("rabbit-retry.message-policies.Benchmark." + key, value));
		return properties;
	}

	@Override
	public Layout layout(String work) {
		return this.queues.apply(work);
	}

	@Override
	public Consumption prepare(Layout layout) {
		Map<String, Object> all = this.route.properties();
		all.putAll(this.properties);
		all.put("benchmark.work", layout.work());
		all.put("benchmark.target-exchange", layout.targetExchange());
		all.put("benchmark.target", layout.target());
		return new SpringConsumption(
				BenchmarkApplication.of(all, ObjectUtils.addObjectToArray(this.sources, BenchmarkApplication.class))
					.run());
	}

}
