/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.throughput;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory.ConfirmType;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.retry.MessageRecoverer;
import org.springframework.amqp.rabbit.retry.RepublishMessageRecovererWithConfirms;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Boot's retry interceptor with a recoverer that publishes and waits for the confirm.
 */
@Configuration(proxyBeanMethods = false)
class Recipe {

	@Bean
	MessageRecoverer recoverer(RabbitTemplate template, @Value("${benchmark.target-exchange}") String exchange,
			@Value("${benchmark.target}") String routingKey,
			@Value("${spring.rabbitmq.publisher-confirm-type}") ConfirmType confirms) {
		return new RepublishMessageRecovererWithConfirms(template, exchange, routingKey, confirms);
	}

}
