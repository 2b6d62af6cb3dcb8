/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks;

import java.util.stream.IntStream;

import org.springframework.amqp.rabbit.annotation.RabbitListenerConfigurer;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistrar;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerEndpoint;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/**
 * An application with one listener for each of many message types.
 */
@Configuration(proxyBeanMethods = false)
// the database is for other benchmarks
@EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
class ManyTypes implements RabbitListenerConfigurer {

	private final int types;

	ManyTypes(@Value("${benchmark.types}") int types) {
		this.types = types;
	}

	static String queue(int type) {
		return "startup.type." + type;
	}

	@Override
	public void configureRabbitListeners(RabbitListenerEndpointRegistrar registrar) {
		IntStream.range(0, this.types).forEach((type) -> {
			SimpleRabbitListenerEndpoint endpoint = new SimpleRabbitListenerEndpoint();
			endpoint.setId(queue(type));
			endpoint.setQueueNames(queue(type));
			endpoint.setMessageListener((message) -> {
			});
			registrar.registerEndpoint(endpoint);
		});
	}

}
