/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample;

import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.support.converter.JacksonJsonMessageConverter;
import org.springframework.amqp.support.converter.MessageConverter;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * How messages are read and written, as in any service that talks JSON.
 */
@Configuration(proxyBeanMethods = false)
class MessagingConfiguration {

	@Bean
	JacksonJsonMessageConverter jsonMessageConverter() {
		return new JacksonJsonMessageConverter();
	}

	/**
	 * For handlers that may take the whole process with them: the broker counts a crash
	 * against every message that is prefetched, so those hold only the one they handle.
	 */
	@Bean
	SimpleRabbitListenerContainerFactory oneAtATime(ConnectionFactory connectionFactory, MessageConverter converter,
			@Value("${spring.rabbitmq.listener.simple.concurrency}") int consumers) {
		SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
		factory.setConnectionFactory(connectionFactory);
		factory.setMessageConverter(converter);
		factory.setConcurrentConsumers(consumers);
		factory.setPrefetchCount(1);
		return factory;
	}

}
