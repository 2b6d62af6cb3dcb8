/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.allocation;

import java.net.SocketTimeoutException;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.AbstractRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A handler that does nothing, and one that does nothing but fail.
 */
@Configuration(proxyBeanMethods = false)
class HandFedListener {

	static final String SUCCEEDING = "allocation.succeeding";

	static final String FAILING = "allocation.failing";

	@RabbitListener(id = SUCCEEDING, queues = SUCCEEDING)
	void succeed(byte[] body) {
	}

	@RabbitListener(id = FAILING, queues = FAILING)
	void fail(byte[] body) throws SocketTimeoutException {
		throw new SocketTimeoutException("Read timed out");
	}

	@Bean
	ConnectionFactory connectionFactory() {
		return StubBroker.connectionFactory();
	}

	@Bean
	AbstractRabbitListenerContainerFactory<HandFedContainer> rabbitListenerContainerFactory(
			ConnectionFactory connectionFactory) {
		AbstractRabbitListenerContainerFactory<HandFedContainer> factory = new AbstractRabbitListenerContainerFactory<>() {

			@Override
			protected HandFedContainer createContainerInstance() {
				return new HandFedContainer();
			}

		};
		factory.setConnectionFactory(connectionFactory);
		return factory;
	}

}
