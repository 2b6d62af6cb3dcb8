/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.report;

import java.util.HashMap;
import java.util.Map;

import io.github.rabbitretry.broker.Broker;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/**
 * A Spring Boot application with the starter on its class path, and no message policies
 * but those of its properties.
 */
@Configuration(proxyBeanMethods = false)
// the database is for other benchmarks
@EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
public class BenchmarkApplication {

	/**
	 * An application to be run.
	 * @param properties its properties
	 * @param sources its configuration classes
	 * @return what runs it
	 */
	public static SpringApplicationBuilder of(Map<String, Object> properties, Class<?>... sources) {
		return new SpringApplicationBuilder(sources).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.logStartupInfo(false)
			.registerShutdownHook(false)
			.properties(properties);
	}

	/**
	 * The properties that lead to a broker.
	 * @param broker the broker
	 * @return a map, to be added to
	 */
	public static Map<String, Object> connectedTo(Broker broker) {
		return new HashMap<>(Map.of("spring.rabbitmq.host", broker.host(), "spring.rabbitmq.port", broker.port(),
				"spring.rabbitmq.username", broker.username(), "spring.rabbitmq.password", broker.password(),
				"spring.rabbitmq.virtual-host", broker.virtualHost(), "rabbit-retry.ledger.enabled", "false"));
	}

}
