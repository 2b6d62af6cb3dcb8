/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks;

import java.util.HashMap;
import java.util.Map;

import io.github.rabbitretry.broker.Broker;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;

/**
 * A Spring Boot application with one listener, configured by what all sides have in
 * common and by the application's own properties.
 *
 * @param name what stands in the table
 * @param broker where
 * @param application the application's configuration class
 * @param listener its listener
 */
record SpringContender(String name, Broker broker, Class<?> application, Class<?> listener) implements Contender {

	static final int PREFETCH = 250;

	@Override
	public Consumption prepare(BenchmarkEnvironment environment) {
		return new SpringConsumption(
				new SpringApplicationBuilder(this.application, this.listener).web(WebApplicationType.NONE)
					.bannerMode(Banner.Mode.OFF)
					.logStartupInfo(false)
					.registerShutdownHook(false)
					.properties(properties(environment))
					.run());
	}

	private Map<String, Object> properties(BenchmarkEnvironment environment) {
		Map<String, Object> properties = new HashMap<>();
		properties.put("spring.rabbitmq.host", this.broker.host());
		properties.put("spring.rabbitmq.port", this.broker.port());
		properties.put("spring.rabbitmq.username", this.broker.username());
		properties.put("spring.rabbitmq.password", this.broker.password());
		properties.put("spring.rabbitmq.virtual-host", this.broker.virtualHost());
		// the clock starts when the consumer does, not when the application does
		properties.put("spring.rabbitmq.listener.simple.auto-startup", false);
		properties.put("spring.rabbitmq.listener.simple.concurrency", 1);
		properties.put("spring.rabbitmq.listener.simple.prefetch", PREFETCH);
		properties.put("benchmark.work", environment.work());
		properties.put("benchmark.target-exchange", environment.targetExchange());
		properties.put("benchmark.target", environment.target());
		properties.put("benchmark.delay", BenchmarkEnvironment.DELAY.toString());
		return properties;
	}

}
