/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.autoconfigure;

import io.github.rabbitretry.internal.autoconfigure.RabbitRetryDepthAutoConfiguration;
import io.github.rabbitretry.internal.autoconfigure.StartReport;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.annotation.EnableRabbit;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Parked messages of applications with several connection factories.
 */
class LedgerConnectionFactoriesTests {

	private final ApplicationContextRunner application = StartReport.application()
		.withConfiguration(AutoConfigurations.of(RabbitRetryParkingPropertiesAutoConfiguration.class,
				RabbitRetryDepthAutoConfiguration.class))
		.withPropertyValues("rabbit-retry.topology.policies=ignore",
				"rabbit-retry.message-policies.Order.queue=several.orders",
				"rabbit-retry.message-policies.Invoice.queue=several.invoices");

	@Test
	void aLedgerNeedsAPrimaryOneAndSaysSo() {
		this.application
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
					RabbitRetryParkingPropertiesAutoConfiguration.class, RabbitRetryLedgerAutoConfiguration.class))
			.withUserConfiguration(Two.class, Orders.class, Invoices.class)
			.run((context) -> {
				assertThat(context).hasFailed();
				FailureAnalysis analysis = StartReport.explain(context.getStartupFailure());
				assertThat(analysis.getDescription())
					.startsWith("There are several connection factories (orders, invoices), and none is primary.");
				assertThat(analysis.getAction()).contains("@Primary").contains("rabbit-retry.ledger.enabled to false");
			});
	}

	@EnableRabbit
	@Configuration(proxyBeanMethods = false)
	static class Two {

		@Bean
		CachingConnectionFactory orders() {
			return new CachingConnectionFactory("127.0.0.1", 1);
		}

		@Bean
		CachingConnectionFactory invoices() {
			return new CachingConnectionFactory("127.0.0.1", 2);
		}

		@Bean
		SimpleRabbitListenerContainerFactory rabbitListenerContainerFactory(
				@Qualifier("orders") ConnectionFactory connectionFactory) {
			return factory(connectionFactory);
		}

		@Bean
		SimpleRabbitListenerContainerFactory ofInvoices(@Qualifier("invoices") ConnectionFactory connectionFactory) {
			return factory(connectionFactory);
		}

		private static SimpleRabbitListenerContainerFactory factory(ConnectionFactory connectionFactory) {
			SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
			factory.setConnectionFactory(connectionFactory);
			factory.setAutoStartup(false);
			return factory;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PrimaryFactory {

		@Bean
		@Primary
		CachingConnectionFactory third() {
			return new CachingConnectionFactory("127.0.0.1", 3);
		}

	}

	static class Orders {

		@RabbitListener(queues = "several.orders")
		void handle(String text) {
			// nothing arrives
		}

	}

	static class Invoices {

		@RabbitListener(queues = "several.invoices", containerFactory = "ofInvoices")
		void handle(String text) {
			// nothing arrives
		}

	}

}
