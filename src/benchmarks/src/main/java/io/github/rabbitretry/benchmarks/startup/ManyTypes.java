/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.startup;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

import org.springframework.amqp.rabbit.annotation.RabbitListenerConfigurer;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerEndpoint;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistrar;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Configuration;

/**
 * An application with one listener for each of many message types.
 */
@Configuration(proxyBeanMethods = false)
class ManyTypes implements RabbitListenerConfigurer {

	private final String prefix;

	private final int types;

	ManyTypes(@Value("${benchmark.prefix}") String prefix, @Value("${benchmark.types}") int types) {
		this.prefix = prefix;
		this.types = types;
	}

	static String queue(String prefix, int type) {
		return prefix + ".type." + type;
	}

	/** The properties for listeners of so many types. */
	static Map<String, Object> listeners(String prefix, int types) {
		return Map.of("benchmark.prefix", prefix, "benchmark.types", types);
	}

	/** The properties for their policies. */
	static Map<String, Object> policies(String prefix, int types) {
		Map<String, Object> properties = new HashMap<>();
		IntStream.range(0, types)
			.forEach((type) -> properties.put("rabbit-retry.message-policies.Type%s.queue".formatted(type),
					queue(prefix, type)));
		return properties;
	}

	@Override
	public void configureRabbitListeners(RabbitListenerEndpointRegistrar registrar) {
		IntStream.range(0, this.types).mapToObj((type) -> queue(this.prefix, type)).forEach((queue) -> {
			SimpleRabbitListenerEndpoint endpoint = new SimpleRabbitListenerEndpoint();
			endpoint.setId(queue);
			endpoint.setQueueNames(queue);
			endpoint.setMessageListener((message) -> {
			});
			registrar.registerEndpoint(endpoint);
		});
	}

}
