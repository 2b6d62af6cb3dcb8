/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory.ConfirmType;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.retry.MessageRecoverer;
import org.springframework.amqp.rabbit.retry.RepublishMessageRecovererWithConfirms;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.PropertySource;

/**
 * Spring's way to the same guarantee: Boot's retry interceptor with a recoverer that
 * publishes mandatory, correlated, and waits for the confirm. Nothing less keeps every
 * message: without mandatory or with simple confirms an unroutable copy is lost.
 */
@Configuration(proxyBeanMethods = false)
// the database is for other benchmarks
@EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
@PropertySource("classpath:recipe.properties")
class Recipe {

	@Bean
	MessageRecoverer recoverer(RabbitTemplate template, @Value("${benchmark.target-exchange}") String exchange,
			@Value("${benchmark.target}") String routingKey) {
		return new RepublishMessageRecovererWithConfirms(template, exchange, routingKey, ConfirmType.CORRELATED);
	}

}
