/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.flood;

import java.util.HashMap;
import java.util.Map;

import io.github.rabbitretry.benchmarks.report.BenchmarkApplication;
import io.github.rabbitretry.benchmarks.throughput.Recipe;
import io.github.rabbitretry.broker.Broker;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * An application that handles orders, and parks what it can't read.
 *
 * @param name whose way of parking it is
 * @param queue the queue of the orders
 * @param parkingLot the queue of what can't be read
 * @param context the running application
 */
record FloodedApplication(String name, String queue, String parkingLot,
		ConfigurableApplicationContext context) implements AutoCloseable {

	static FloodedApplication ours(Broker broker) {
		String queue = "flood.order";
		return start("Rabbit Retry", queue, queue + ".parking-lot", broker,
				Map.of("rabbit-retry.message-policies.Order.queue", queue));
	}

	/** Spring's recipe; it hands over at the first failure, as ours does with poison. */
	static FloodedApplication recipe(Broker broker) {
		String queue = "flood.recipe";
		Map<String, Object> properties = new HashMap<>(Recipe.properties("correlated"));
		properties.put("benchmark.target-exchange", "");
		properties.put("benchmark.target", queue + ".parked");
		return start("the recipe", queue, queue + ".parked", broker, properties, Recipe.class, RecipeQueues.class);
	}

	private static FloodedApplication start(String name, String queue, String parkingLot, Broker broker,
			Map<String, Object> more, Class<?>... sources) {
		Map<String, Object> properties = BenchmarkApplication.connectedTo(broker);
		properties.putAll(more);
		properties.put("flood.queue", queue);
		properties.put("flood.parking-lot", parkingLot);
		return new FloodedApplication(name, queue, parkingLot,
				BenchmarkApplication.of(properties, BenchmarkApplication.class, OrderListener.class)
					.sources(sources)
					.run());
	}

	OrderListener listener() {
		return this.context.getBean(OrderListener.class);
	}

	@Override
	public void close() {
		this.context.close();
	}

}
