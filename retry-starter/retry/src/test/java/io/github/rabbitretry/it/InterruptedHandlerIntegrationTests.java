/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Handlers that leave their thread interrupted, as client libraries do. A container takes
 * that for the wish to stop.
 */
class InterruptedHandlerIntegrationTests {

	private static final String QUEUE = "interrupted.order";

	@AfterEach
	void remove() {
		try (TestBroker broker = TestBroker.connect()) {
			broker.deleteAll(QUEUE);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void areCalledForTheNextMessagesAllTheSame(String type) throws Exception {
		try (ConfigurableApplicationContext application = TestApplication.start(Application.class,
				"spring.rabbitmq.listener.type=" + type, "rabbit-retry.message-policies.Order.queue=" + QUEUE,
				"rabbit-retry.message-policies.Order.retry-backoff=fixed",
				"rabbit-retry.message-policies.Order.initial-delay=200ms",
				"rabbit-retry.message-policies.Order.broker-attempts=1"); TestBroker broker = TestBroker.connect()) {
			for (String body : new String[] { "throws", "returns", "throws", "fine" }) {
				broker.sendJson(QUEUE, body, Map.of(), body);
			}
			for (int parked = 0; parked < 2; parked++) {
				assertThat(broker.take(QUEUE + ".parking-lot").getBody()).asString().isEqualTo("throws");
			}
			Set<?> handled = application.getBean("handled", Set.class);
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.untilAsserted(() -> assertThat(handled).hasToString("[fine, returns]"));
			assertThat(broker.channel().consumerCount(QUEUE)).isOne();
		}
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Set<String> handled() {
			return new ConcurrentSkipListSet<>();
		}

		@RabbitListener(queues = QUEUE)
		void handle(byte[] body) throws InterruptedException {
			String text = new String(body);
			if (!text.equals("fine")) {
				Thread.currentThread().interrupt();
			}
			if (text.equals("throws")) {
				throw new InterruptedException("by a client");
			}
			handled().add(text);
		}

	}

}
