/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.internal.metrics.RecordedAttempts;
import io.github.rabbitretry.internal.metrics.RecordedAttempts.Attempt;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The trace of a message, from its producer through retries to the parking lot.
 */
class TracedMessageIntegrationTests {

	private static final String QUEUE = "traced.order";

	private static final Map<String, Object> TRACE = Map.of("traceparent",
			"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "tracestate", "rojo=00f067aa0ba902b7,congo=t61",
			"baggage", "tenant=acme,note=caf%C3%A9%20%E2%98%83", "b3",
			"0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1");

	private final TestBroker broker = TestBroker.connect();

	private ConfigurableApplicationContext application;

	@BeforeEach
	void clear() {
		Listener.failures = 0;
	}

	@AfterEach
	void stop() {
		this.application.close();
		this.broker.deleteAll(QUEUE);
		this.broker.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void eachAttemptIsAnObservationInTheProducersTrace(String container) {
		start("spring.rabbitmq.listener.type=" + container,
				"spring.rabbitmq.listener.%s.observation-enabled=true".formatted(container));
		Listener.failures = 2;
		this.broker.sendJson(QUEUE, "m-1", TRACE, "{}");
		List<Attempt> attempts = attempts(3);
		assertThat(attempts).allSatisfy((attempt) -> assertThat(attempt.trace()).isEqualTo(new TreeMap<>(TRACE)));
		assertThat(attempts).extracting((attempt) -> attempt.values().get("attempt")).containsExactly("0", "1", "2");
		assertThat(attempts).extracting((attempt) -> attempt.values().get("outcome"))
			.containsExactly("retried", "retried", null);
		assertThat(attempts).extracting((attempt) -> attempt.values().get("delay"))
			.containsExactly("PT0.1S", "PT0.1S", null);
		assertThat(attempts).extracting((attempt) -> attempt.error() != null).containsExactly(true, true, false);
	}

	@Test
	void theParkedMessageIsInTheTraceToo() {
		start("spring.rabbitmq.listener.simple.observation-enabled=true");
		Listener.failures = 10;
		this.broker.sendJson(QUEUE, "m-1", TRACE, "{}");
		GetResponse parked = this.broker.take(QUEUE + ".parking-lot");
		assertThat(TestBroker.text(parked)).containsAllEntriesOf(TRACE);
		assertThat(attempts(4).get(3).values()).containsEntry("outcome", "parked")
			.containsEntry("reason", "RETRY_BUDGET_EXHAUSTED");
	}

	@Test
	void soIsAnAttemptInQuarantine() {
		start("spring.rabbitmq.listener.simple.observation-enabled=true");
		this.broker.sendJson(QUEUE + ".quarantine", "m-1", TRACE, "{}");
		Attempt attempt = attempts(1).get(0);
		assertThat(attempt.queue()).isEqualTo(QUEUE + ".quarantine");
		assertThat(attempt.trace()).isEqualTo(new TreeMap<>(TRACE));
	}

	@Test
	void withoutObservationTheHeadersAreCarriedAllTheSame() {
		start();
		Listener.failures = 10;
		this.broker.sendJson(QUEUE, "m-1", TRACE, "{}");
		assertThat(TestBroker.text(this.broker.take(QUEUE + ".parking-lot"))).containsAllEntriesOf(TRACE);
		assertThat(this.application.getBean(RecordedAttempts.class).attempts()).isEmpty();
	}

	private List<Attempt> attempts(int count) {
		RecordedAttempts recorded = this.application.getBean(RecordedAttempts.class);
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> recorded.attempts().size() >= count);
		assertThat(recorded.attempts()).hasSize(count);
		return recorded.attempts();
	}

	private void start(String... more) {
		List<String> properties = new ArrayList<>(List.of(more));
		properties.addAll(List.of("rabbit-retry.message-policies.Order.queue=" + QUEUE,
				"rabbit-retry.message-policies.Order.retry-backoff=fixed",
				"rabbit-retry.message-policies.Order.initial-delay=100ms",
				"rabbit-retry.message-policies.Order.broker-attempts=3",
				"rabbit-retry.message-policies.Order.local-attempts=1"));
		this.application = TestApplication.start(Application.class, properties.toArray(String[]::new));
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		/** Boot adds it to its registry. */
		@Bean
		RecordedAttempts recorded() {
			return new RecordedAttempts();
		}

		@Bean
		Listener listener() {
			return new Listener();
		}

	}

	static class Listener {

		static volatile int failures;

		@RabbitListener(queues = QUEUE)
		void handle(Message message) throws Exception {
			Object attempt = message.getMessageProperties().getHeaders().getOrDefault("x-app-retry-attempt", 0);
			if (((Number) attempt).intValue() < failures) {
				throw new SocketTimeoutException("no answer");
			}
		}

	}

}
