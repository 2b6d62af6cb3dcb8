/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import io.github.rabbitretry.internal.broker.BrokerInspector;
import io.github.rabbitretry.internal.multiconnection.PolicyConnections;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.amqp.rabbit.annotation.EnableRabbit;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications with several connection factories, of which none need be primary.
 */
@ExtendWith(OutputCaptureExtension.class)
class SeveralConnectionFactoriesTests {

	private final ApplicationContextRunner application = StartReport.application()
		.withConfiguration(AutoConfigurations.of(RabbitRetryDepthAutoConfiguration.class))
		.withPropertyValues("rabbit-retry.topology.policies=ignore",
				"rabbit-retry.message-policies.Order.queue=several.orders",
				"rabbit-retry.message-policies.Invoice.queue=several.invoices");

	@Test
	void eachListenerTellsTheConnectionFactoryOfItsPolicy() {
		this.application.withUserConfiguration(Two.class, Orders.class, Invoices.class)
			.run((context) -> assertThat(context).hasNotFailed()
				.getBean(PolicyConnections.class)
				.satisfies((connections) -> assertThat(connections.groups()).hasSize(2)
					.allSatisfy((factory, policies) -> assertThat(policies.all()).singleElement()
						.extracting((policy) -> policy.messageType())
						.isEqualTo((factory == context.getBean("orders")) ? "Order" : "Invoice"))));
	}

	@Test
	void aPolicyWithoutAListenerFailsStartupIfNoneIsPrimary() {
		this.application.withUserConfiguration(Two.class, Orders.class).run((context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = StartReport.explain(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains("rabbit-retry.message-policies.Invoice")
				.contains("several.invoices")
				.contains("its connection factory is not known: orders, invoices");
			assertThat(analysis.getAction()).startsWith("Annotate one of them with @Primary");
		});
	}

	@Test
	void aPolicyWithoutAListenerFollowsThePrimaryOne() {
		this.application.withUserConfiguration(Two.class, PrimaryFactory.class, Orders.class)
			.run((context) -> assertThat(context).hasNotFailed()
				.getBean(PolicyConnections.class)
				.satisfies((connections) -> assertThat(connections.groups()).hasSize(2)
					.containsKey(context.getBean("third", ConnectionFactory.class))));
	}

	@Test
	void whatIsParkedWhereThePrimaryOneDoesNotLeadIsWarnedOf(CapturedOutput output) {
		this.application.withUserConfiguration(Two.class, PrimaryFactory.class, Orders.class)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("rabbit-retry.message-policies.Order: 'several.orders' is listened to at another"
				+ " broker or virtual host than the primary connection factory leads to: what is parked of it stays in"
				+ " 'several.orders.parking-lot' there")
			.doesNotContain("'several.invoices' is listened to at another");
	}

	@Test
	void anotherFactoryOfTheSameBrokerIsNotWarnedOf(CapturedOutput output) {
		this.application.withUserConfiguration(Two.class, SameBroker.class, Orders.class)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("is listened to at another");
	}

	@Test
	void eachBrokerIsInspectedForThePoliciesOfItsListeners() {
		List<String> inspected = new ArrayList<>();
		this.application.withUserConfiguration(Two.class, Orders.class, Invoices.class)
			.withBean(BrokerInspector.class,
					() -> (broker, topologies) -> topologies
						.forEach((topology) -> inspected.add(broker.virtualHost() + " " + topology.queue())))
			.run((context) -> assertThat(inspected).containsExactlyInAnyOrder("/ several.orders",
					"invoicing several.invoices"));
	}

	@Test
	void queuesAreNamedWithTheVirtualHostThatTheirListenerConsumesIn() {
		this.application.withConfiguration(AutoConfigurations.of(RabbitRetryMetricsAutoConfiguration.class))
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withUserConfiguration(Two.class, Orders.class, Invoices.class)
			.run((context) -> assertThat(
					context.getBean(MeterRegistry.class).get("rabbit.retry.queue").tag("role", "work").gauges())
				.extracting((gauge) -> gauge.getId().getTag("vhost") + " " + gauge.getId().getTag("queue"))
				.containsExactlyInAnyOrder("/ several.orders", "invoicing several.invoices"));
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
			CachingConnectionFactory invoices = new CachingConnectionFactory("127.0.0.1", 2);
			invoices.setVirtualHost("invoicing");
			return invoices;
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

	@Configuration(proxyBeanMethods = false)
	static class SameBroker {

		@Bean
		@Primary
		CachingConnectionFactory again() {
			return new CachingConnectionFactory("127.0.0.1", 1);
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
