/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.throughput;

import java.util.HashMap;
import java.util.Map;

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
public class Recipe {

	private static final String SIMPLE = "spring.rabbitmq.listener.simple.";

	/** Each failure is the last. */
	static final Map<String, Object> RETRY = Map.of(SIMPLE + "retry.enabled", true, SIMPLE + "retry.max-retries", 0);

	/**
	 * What else it needs. Without mandatory publishing an unroutable copy is lost.
	 * @param confirms the connection factory's kind of confirms
	 * @return properties of the application
	 */
	public static Map<String, Object> properties(String confirms) {
		Map<String, Object> properties = new HashMap<>(RETRY);
		properties.put("spring.rabbitmq.publisher-confirm-type", confirms);
		properties.put("spring.rabbitmq.publisher-returns", true);
		properties.put("spring.rabbitmq.template.mandatory", true);
		return properties;
	}

	@Bean
	MessageRecoverer recoverer(RabbitTemplate template, @Value("${benchmark.target-exchange}") String exchange,
			@Value("${benchmark.target}") String routingKey,
			@Value("${spring.rabbitmq.publisher-confirm-type}") ConfirmType confirms) {
		return new RepublishMessageRecovererWithConfirms(template, exchange, routingKey, confirms);
	}

}
