/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.allocation;

import java.util.HashMap;
import java.util.Map;

import io.github.rabbitretry.benchmarks.report.BenchmarkApplication;

import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A running application whose containers get their deliveries by hand.
 */
final class HandFedApplication {

	private final ConfigurableApplicationContext context;

	private final HandFedContainer succeeding;

	private final HandFedContainer failing;

	HandFedApplication(Map<String, Object> policies) {
		Map<String, Object> properties = new HashMap<>(policies);
		// there is no broker to look at
		properties.put("rabbit-retry.topology.mode", "none");
		properties.put("rabbit-retry.dead-letter-consumer.enabled", false);
		this.context = BenchmarkApplication.of(properties, BenchmarkApplication.class, HandFedListener.class).run();
		RabbitListenerEndpointRegistry registry = this.context.getBean(RabbitListenerEndpointRegistry.class);
		this.succeeding = (HandFedContainer) registry.getListenerContainer(HandFedListener.SUCCEEDING);
		this.failing = (HandFedContainer) registry.getListenerContainer(HandFedListener.FAILING);
	}

	HandFedContainer succeeding() {
		return this.succeeding;
	}

	HandFedContainer failing() {
		return this.failing;
	}

	void close() {
		this.context.close();
	}

}
