/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.internal.classify.ClassificationChain;
import io.github.rabbitretry.internal.classify.ClassificationRules;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rules decide on a real broker what they say they do.
 */
class ClassificationAsDataIntegrationTests {

	private static final String QUEUE = "classified.order";

	private static final String RULES = "rabbit-retry.classification.rules";

	private final TestBroker broker = TestBroker.connect();

	private ConfigurableApplicationContext application;

	@BeforeEach
	void start() {
		Application.deliveries.clear();
		Application.failure = null;
		this.application = TestApplication.start(Application.class,
				"rabbit-retry.message-policies.Order.queue=" + QUEUE,
				"rabbit-retry.message-policies.Order.retry-backoff=fixed",
				"rabbit-retry.message-policies.Order.initial-delay=30s",
				"rabbit-retry.message-policies.Order.broker-attempts=2",
				"rabbit-retry.message-policies.Order.local-attempts=2",
				"rabbit-retry.message-policies.Order.park-on=PARTNER_DOWN", RULES + "[0].exception=java.io.IOException",
				RULES + "[0].failure-class=poison", RULES + "[0].reason=SHADOWED", RULES + "[0].mode=shadow",
				RULES + "[1].exception=java.io.FileNotFoundException", RULES + "[1].failure-class=permanent-business",
				RULES + "[1].reason=PARTNER_DOWN", RULES + "[1].delay=1200ms", RULES + "[2].sql-state=40*",
				RULES + "[2].failure-class=transient", RULES + "[2].reason=STALE", RULES + "[2].action=discard",
				RULES + "[3].schema-version=9", RULES + "[3].message-type=Order", RULES + "[3].failure-class=transient",
				RULES + "[3].reason=UNSUPPORTED_SCHEMA_VERSION", RULES + "[3].action=park");
	}

	@AfterEach
	void stop() {
		this.application.close();
		// the retry queue too, whose message would come to another test
		this.broker.deleteAll(QUEUE);
		this.broker.close();
	}

	@Test
	void aRulesDelayIsThatOfTheRetryWhateverParkOnAndTheClassSay() {
		Application.failure = new FileNotFoundException("not yet");
		this.broker.sendJson(QUEUE, "m-1", Map.of(), "{}");
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> Application.deliveries.size() >= 3);
		// one handler call for each delivery: a delay is no case for a local attempt
		for (int delivery = 1; delivery < 3; delivery++) {
			assertThat(Duration.between(Application.deliveries.get(delivery - 1), Application.deliveries.get(delivery)))
				.isBetween(Duration.ofMillis(1200), Duration.ofSeconds(10));
		}
		GetResponse parked = this.broker.take(QUEUE + ".parking-lot");
		assertThat(String.valueOf(parked.getProps().getHeaders().get("x-app-retry-reason")))
			.isEqualTo("RETRY_BUDGET_EXHAUSTED");
		assertThat(String.valueOf(parked.getProps().getHeaders().get("x-app-failure-reason")))
			.isEqualTo("PARTNER_DOWN");
	}

	@Test
	void aRuleBySqlStateDiscards() {
		Application.failure = new IllegalStateException(new SQLException("deadlock", "40P01"));
		this.broker.sendJson(QUEUE, "m-1", Map.of(), "{}");
		Awaitility.await()
			.untilAsserted(() -> assertThat(count("rabbit.retry.deliveries", "outcome", "discarded")).isEqualTo(1));
		assertThat(this.broker.ready(QUEUE + ".parking-lot")).isZero();
	}

	@Test
	void aRuleBySchemaVersionAndMessageTypeParks() {
		Application.failure = new SocketTimeoutException("known as transient");
		this.broker.sendJson(QUEUE, "m-1", Map.of("x-schema-version", 9), "{}");
		GetResponse parked = this.broker.take(QUEUE + ".parking-lot");
		assertThat(String.valueOf(parked.getProps().getHeaders().get("x-app-retry-reason")))
			.isEqualTo("UNSUPPORTED_SCHEMA_VERSION");
	}

	@Test
	void aRuleInShadowModeCountsADeliveryOnceAndDecidesNothing() {
		// both local attempts fail, one delivery is decided: by the built-in knowledge
		Application.failure = new SocketTimeoutException("twice");
		this.broker.sendJson(QUEUE, "m-1", Map.of(), "{}");
		Awaitility.await()
			.untilAsserted(() -> assertThat(count("retry.attempts", "reason", "DOWNSTREAM_TIMEOUT")).isEqualTo(1));
		assertThat(Application.deliveries).hasSize(2);
		assertThat(count("rabbit.retry.shadow.matches", "reason", "SHADOWED")).isEqualTo(1);
		assertThat(this.application.getBean(ClassificationChain.class).rules())
			.extracting(ClassificationRules.Effective::hits)
			.containsExactly(1L, 0L, 0L, 0L);
		assertThat(this.broker.ready(QUEUE + ".parking-lot")).isZero();
	}

	private double count(String meter, String tag, String value) {
		return this.application.getBean(MeterRegistry.class)
			.find(meter)
			.tag(tag, value)
			.counters()
			.stream()
			.mapToDouble(Counter::count)
			.sum();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		static final List<Instant> deliveries = new CopyOnWriteArrayList<>();

		static volatile Exception failure;

		@RabbitListener(queues = QUEUE)
		void handle(Message message) throws Exception {
			deliveries.add(Instant.now());
			if (failure != null) {
				throw failure;
			}
			throw new IOException("no failure is set");
		}

		@Bean
		MeterRegistry meters() {
			return new SimpleMeterRegistry();
		}

	}

}
