/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import io.github.rabbitretry.broker.Broker;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with listeners at two brokers, neither connection factory being primary.
 */
class SeveralBrokersIntegrationTests {

	private static final List<String> ENDINGS = List.of("", ".retry.200ms", ".dlq", ".parking-lot", ".quarantine");

	private static Broker other;

	private static TestBroker here;

	private static TestBroker there;

	private ConfigurableApplicationContext application;

	@BeforeAll
	static void start() {
		other = Broker.start();
		here = TestBroker.connect();
		there = TestBroker.connect(other);
	}

	@AfterAll
	static void stop() {
		here.deleteAll("several.orders");
		here.close();
		there.close();
		other.close();
	}

	@AfterEach
	void close() {
		this.application.close();
	}

	@Test
	void everythingFollowsTheListenersConnectionFactory() throws Exception {
		this.application = TestApplication.start(Application.class, "rabbit-retry.defaults.retry-backoff=fixed",
				"rabbit-retry.defaults.initial-delay=200ms", "rabbit-retry.defaults.broker-attempts=1",
				"rabbit-retry.defaults.local-attempts=1", "rabbit-retry.message-policies.Order.queue=several.orders",
				"rabbit-retry.message-policies.Invoice.queue=several.invoices");
		assertThat(ENDINGS).allSatisfy((ending) -> {
			assertThat(exists(Broker.shared(), "several.orders" + ending)).isTrue();
			assertThat(exists(Broker.shared(), "several.invoices" + ending)).isFalse();
			assertThat(exists(other, "several.invoices" + ending)).isTrue();
			assertThat(exists(other, "several.orders" + ending)).isFalse();
		});
		assertRetriedAndParked(here, "several.orders");
		assertRetriedAndParked(there, "several.invoices");
		assertDeadLettersParked(here, "several.orders");
		assertDeadLettersParked(there, "several.invoices");
		assertQuarantined(here, "several.orders");
		assertQuarantined(there, "several.invoices");
	}

	private static void assertRetriedAndParked(TestBroker broker, String queue) {
		broker.sendJson(queue, "m-1", Map.of(), "{}");
		assertThat(TestBroker.text(broker.take(queue + ".parking-lot"))).containsEntry("x-app-retry-attempt", "1")
			.containsEntry("x-app-origin-queue", queue);
		Awaitility.await().untilAsserted(() -> assertThat(broker.ready(queue)).isZero());
	}

	private static void assertDeadLettersParked(TestBroker broker, String queue) throws IOException {
		broker.send(queue + ".dlq", new BasicProperties.Builder().messageId("m-2").deliveryMode(2).build(), "{}");
		assertThat(broker.take(queue + ".parking-lot").getProps().getMessageId()).isEqualTo("m-2");
	}

	private static void assertQuarantined(TestBroker broker, String queue) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(broker.channel().consumerCount(queue + ".quarantine")).isOne());
	}

	private static boolean exists(Broker broker, String queue) {
		try (TestBroker connection = TestBroker.connect(broker)) {
			Channel channel = connection.channel();
			AMQP.Queue.DeclareOk found = channel.queueDeclarePassive(queue);
			return found != null;
		}
		catch (IOException ex) {
			return false;
		}
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		static CachingConnectionFactory ofOrders() {
			return factory(Broker.shared());
		}

		@Bean
		static CachingConnectionFactory ofInvoices() {
			return factory(other);
		}

		private static CachingConnectionFactory factory(Broker broker) {
			return new CachingConnectionFactory(broker.amqpUri());
		}

		@Bean
		static SimpleRabbitListenerContainerFactory rabbitListenerContainerFactory(
				@Qualifier("ofOrders") ConnectionFactory connectionFactory) {
			return containers(connectionFactory);
		}

		@Bean
		static SimpleRabbitListenerContainerFactory invoices(
				@Qualifier("ofInvoices") ConnectionFactory connectionFactory) {
			return containers(connectionFactory);
		}

		private static SimpleRabbitListenerContainerFactory containers(ConnectionFactory connectionFactory) {
			SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
			factory.setConnectionFactory(connectionFactory);
			return factory;
		}

		@RabbitListener(queues = "several.orders")
		void order(Message message) {
			throw new IllegalStateException("told to");
		}

		@RabbitListener(queues = "several.invoices", containerFactory = "invoices")
		void invoice(Message message) {
			throw new IllegalStateException("told to");
		}

	}

}
