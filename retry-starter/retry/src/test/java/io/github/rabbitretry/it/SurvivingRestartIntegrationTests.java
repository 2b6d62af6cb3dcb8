/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.internal.autoconfigure.RabbitRetryMetricsAutoConfiguration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

class SurvivingRestartIntegrationTests {

	private static final String QUEUE = "restart.order";

	private final TestBroker broker = TestBroker.connect();

	@AfterEach
	void remove() {
		this.broker.deleteAll(QUEUE);
		this.broker.close();
	}

	@Test
	void attemptsAndAgeGoOnInTheNextProcess() {
		Application.attempts.clear();
		ConfigurableApplicationContext first = start("broker-attempts=2", "initial-delay=2s");
		this.broker.sendJson(QUEUE, "m", Map.of(), "{}");
		Awaitility.await().until(() -> this.broker.ready(QUEUE + ".retry.2s") == 1);
		first.close();
		try (ConfigurableApplicationContext second = start("broker-attempts=2", "initial-delay=2s")) {
			Map<String, Object> headers = RetryLifecycleIntegrationTests.text(this.broker.take(QUEUE + ".parking-lot"));
			assertThat(headers).containsEntry("x-app-retry-attempt", "2")
				.containsEntry("x-app-retry-reason", "RETRY_BUDGET_EXHAUSTED");
			assertThat(Application.attempts).containsExactly(0, 1, 2);
			assertThat(second.isActive()).isTrue();
		}
	}

	@Test
	void aMessageThatWouldComeBackTooOldIsParkedInsteadOfBeingRetried() {
		Application.attempts.clear();
		try (ConfigurableApplicationContext application = start("broker-attempts=9", "initial-delay=3s",
				"max-retry-age=8s")) {
			this.broker.sendJson(QUEUE, "m", Map.of(), "{}");
			GetResponse parked = this.broker.take(QUEUE + ".parking-lot");
			assertThat(RetryLifecycleIntegrationTests.text(parked))
				.containsEntry("x-app-retry-reason", "RETRY_AGE_EXCEEDED")
				.containsEntry("x-app-failure-reason", "UNKNOWN_FAILURE")
				.containsEntry("x-app-retry-attempt", "2");
			assertThat(Application.attempts).containsExactly(0, 1, 2);
			assertThat(application.isActive()).isTrue();
		}
	}

	@Test
	void aMessageThatWaitedTooLongForAConsumerIsParkedUnhandled() {
		Application.attempts.clear();
		start("broker-attempts=9", "initial-delay=1s").close();
		this.broker.sendJson(QUEUE, "m", Map.of("x-app-retry-attempt", 1, "x-app-first-failure-at",
				"2026-01-01T00:00:00Z", "x-app-retry-reason", "DOWNSTREAM_TIMEOUT", "x-app-retry-class", "transient"),
				"{}");
		try (ConfigurableApplicationContext application = start("broker-attempts=9", "initial-delay=1s")) {
			assertThat(RetryLifecycleIntegrationTests.text(this.broker.take(QUEUE + ".parking-lot")))
				.containsEntry("x-app-retry-reason", "RETRY_AGE_EXCEEDED")
				.containsEntry("x-app-failure-reason", "DOWNSTREAM_TIMEOUT")
				.containsEntry("x-app-retry-class", "transient")
				.containsEntry("x-app-first-failure-at", "2026-01-01T00:00:00Z");
			assertThat(Application.attempts).isEmpty();
			assertThat(application.isActive()).isTrue();
		}
	}

	private static ConfigurableApplicationContext start(String... policy) {
		String[] properties = new String[policy.length + 3];
		for (int i = 0; i < policy.length; i++) {
			properties[i] = "rabbit-retry.message-policies.Order." + policy[i];
		}
		properties[policy.length] = "rabbit-retry.message-policies.Order.queue=" + QUEUE;
		properties[policy.length + 1] = "rabbit-retry.message-policies.Order.retry-backoff=fixed";
		properties[policy.length + 2] = "rabbit-retry.message-policies.Order.local-attempts=1";
		return TestApplication.start(Application.class, properties);
	}

	/** Without Micrometer, so that nobody but ourselves listens to deliveries. */
	@SpringBootConfiguration
	@EnableAutoConfiguration(exclude = RabbitRetryMetricsAutoConfiguration.class)
	static class Application {

		static final List<Object> attempts = new CopyOnWriteArrayList<>();

		@RabbitListener(queues = QUEUE)
		void handle(Message message) {
			attempts.add(message.getMessageProperties().getHeaders().getOrDefault("x-app-retry-attempt", 0));
			throw new IllegalStateException("no");
		}

	}

}
