/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.rabbitretry.database.Database;
import io.github.rabbitretry.it.ParkedHeaders;
import io.github.rabbitretry.it.TestApplication;
import io.github.rabbitretry.it.TestBroker;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedMessage;
import io.github.rabbitretry.parking.message.ParkedMessageListener;
import jakarta.validation.ValidationException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.BindingBuilder;
import org.springframework.amqp.core.DirectExchange;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Reacting to parked messages in code: by a bean, with a ledger, and by a queue of one's
 * own, without.
 */
class ParkedMessageListenerIntegrationTests {

	private static final String QUEUE = "parked.listener";

	private static TestBroker broker;

	@BeforeAll
	static void connect() {
		broker = TestBroker.connect();
	}

	@BeforeEach
	void nothingIsParked() {
		broker.deleteAll(QUEUE);
	}

	@AfterAll
	static void disconnect() {
		broker.deleteAll(QUEUE);
		broker.close();
	}

	@Test
	void withALedgerABeanIsToldOfEachMessageThatIsStored() {
		try (ConfigurableApplicationContext application = TestApplication.start(WithLedger.class,
				"rabbit-retry.message-policies.ParkedListener.queue=" + QUEUE,
				"spring.datasource.url=" + Database.shared().createDatabase(),
				"spring.datasource.username=" + Database.shared().username(),
				"spring.datasource.password=" + Database.shared().password(),
				"rabbit-retry.ledger.initialize-schema=always")) {
			List<ParkedMessage> told = application.getBean(WithLedger.class).told;
			for (int number = 0; number < 3; number++) {
				broker.sendJson(QUEUE + ".parking-lot", "m" + number,
						ParkedHeaders.of("ParkedListener", Instant.now()).headers(), "{}");
			}
			await().atMost(Duration.ofSeconds(30)).until(() -> told.size() == 3);
			Ledger ledger = application.getBean(Ledger.class);
			assertThat(told)
				.allSatisfy((message) -> assertThat(ledger.find(message.summary().id()).orElseThrow().summary())
					.isEqualTo(message.summary()));
			assertThat(told).extracting((message) -> message.summary().messageId())
				.containsExactlyInAnyOrder("m0", "m1", "m2");
			assertThat(ledger.count(ParkedFilter.ALL)).isEqualTo(3);
			await().atMost(Duration.ofSeconds(30)).until(() -> broker.ready(QUEUE + ".parking-lot") == 0);
		}
	}

	@Test
	void withoutALedgerAQueueOfOnesOwnGetsACopyOfEachParkedMessage() {
		try (ConfigurableApplicationContext application = TestApplication.start(WithoutLedger.class,
				"rabbit-retry.message-policies.ParkedListener.queue=" + QUEUE, "rabbit-retry.ledger.enabled=false")) {
			broker.sendJson(QUEUE, "m9", Map.of(), "{}");
			List<Message> told = application.getBean(WithoutLedger.class).told;
			await().atMost(Duration.ofSeconds(30)).until(() -> told.size() == 1);
			assertThat(told.get(0).getMessageProperties().<String>getHeader("x-app-retry-reason"))
				.isEqualTo("VALIDATION_FAILED");
			await().atMost(Duration.ofSeconds(30)).until(() -> broker.ready(QUEUE + ".parking-lot") == 1);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class WithLedger {

		private final List<ParkedMessage> told = new CopyOnWriteArrayList<>();

		@Bean
		ParkedMessageListener tickets() {
			return (message) -> {
				this.told.add(message);
				throw new IllegalStateException("ticket system away");
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class WithoutLedger {

		private final List<Message> told = new CopyOnWriteArrayList<>();

		@Bean
		Queue alerts() {
			return QueueBuilder.durable(QUEUE + ".alerts").quorum().build();
		}

		@Bean
		DirectExchange parkedOnes() {
			return new DirectExchange(QUEUE + ".dlx");
		}

		@Bean
		Binding alertsOfParked(Queue alerts, DirectExchange parkedOnes) {
			return BindingBuilder.bind(alerts).to(parkedOnes).with(QUEUE + ".parking-lot");
		}

		@RabbitListener(queues = QUEUE)
		void handle(Message message) {
			throw new ValidationException("no such customer");
		}

		@RabbitListener(queues = QUEUE + ".alerts")
		void alert(Message message) {
			this.told.add(message);
		}

	}

}
