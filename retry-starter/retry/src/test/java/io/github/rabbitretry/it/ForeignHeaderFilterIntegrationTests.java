/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import com.rabbitmq.client.GetResponse;
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
 * Whose headers count, with what RabbitMQ says of each way that a message comes.
 */
class ForeignHeaderFilterIntegrationTests {

	private static final String QUEUE = "foreign.order";

	private static final String EXCHANGE = "foreign.events";

	private static final String ORDER = "rabbit-retry.message-policies.Order.";

	private static final Map<String, Object> RETRIED_ELSEWHERE = Map.of("x-app-retry-attempt", 9,
			"x-app-first-failure-at", "2020-01-01T00:00:00Z", "x-app-retry-delay", 3_600_000L, "x-app-origin-queue",
			"payment", "x-app-origin-routing-key", "pay", "x-replay-id", "replay-1", "x-replay-item", 1L, "tenant", 7);

	private final TestBroker broker = TestBroker.connect();

	@BeforeEach
	void clean() throws IOException {
		this.broker.deleteAll(QUEUE);
		this.broker.channel().exchangeDelete(EXCHANGE);
		Handler.attempts.clear();
	}

	@AfterEach
	void delete() throws IOException {
		clean();
		this.broker.close();
	}

	/** By the exchange, or as a shovel does by the queue's name. */
	@ParameterizedTest
	@ValueSource(strings = { EXCHANGE, "" })
	void aMessageThatAnotherServiceRetriedHasItsWholeBudget(String exchange) throws Exception {
		try (ConfigurableApplicationContext application = start("ring=per-type")) {
			this.broker.channel()
				.basicPublish(exchange, exchange.isEmpty() ? QUEUE : "order.create", true,
						TestBroker.json("m").headers(RETRIED_ELSEWHERE).build(), "{}".getBytes());
			GetResponse parked = this.broker.take(QUEUE + ".parking-lot");
			assertThat(Handler.attempts).containsExactly(9, 1, 2);
			assertThat(TestBroker.text(parked)).containsEntry("x-app-retry-attempt", "2")
				.containsEntry("x-app-retry-reason", "RETRY_BUDGET_EXHAUSTED")
				.containsEntry("x-app-origin-queue", QUEUE)
				.containsEntry("x-app-origin-routing-key", exchange.isEmpty() ? QUEUE : "order.create")
				.containsEntry("tenant", "7")
				.doesNotContainKeys("x-replay-id", "x-replay-item");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "ring=per-type", "ring=shared", "retry-backoff=exponential-jitter", "work-queue=existing",
			"names.ring-exchange=foreign.order.renamed" })
	void aMessageThatComesBackKeepsItsCountAndItsOrigin(String kind) throws Exception {
		if (kind.startsWith("work-queue")) {
			this.broker.channel().queueDeclare(QUEUE, true, false, false, Map.of("x-queue-type", "quorum"));
		}
		try (ConfigurableApplicationContext application = start(kind)) {
			this.broker.sendJson(QUEUE, "m", Map.of("x-app-origin-queue", "payment", "x-app-retry-attempt", 9), "{}");
			GetResponse parked = this.broker.take(QUEUE + ".parking-lot");
			assertThat(Handler.attempts).containsExactly(9, 1, 2);
			assertThat(TestBroker.text(parked)).containsEntry("x-app-origin-queue", QUEUE);
		}
	}

	@Test
	void aParkedMessageThatIsMovedBackByTheQueuesNameDoesNotBeginAnew() {
		try (ConfigurableApplicationContext application = start("ring=per-type")) {
			this.broker.sendJson(QUEUE, "m", Map.of(), "{}");
			GetResponse parked = this.broker.take(QUEUE + ".parking-lot");
			this.broker.send(QUEUE, parked.getProps(), parked.getBody());
			GetResponse again = this.broker.take(QUEUE + ".parking-lot");
			assertThat(Handler.attempts).containsExactly(0, 1, 2, 2);
			assertThat(TestBroker.text(again).get("x-app-first-failure-at"))
				.isEqualTo(TestBroker.text(parked).get("x-app-first-failure-at"));
		}
	}

	/** Without evidence that it has waited, it is handled as if it were due. */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aMessageThatAsksToWaitForDaysIsHandledAtOnceIfItHasNotWaitedBefore(boolean namesTheQueue) throws Exception {
		try (ConfigurableApplicationContext application = start("max-retry-age=1m")) {
			Map<String, Object> headers = waitingForDays();
			if (namesTheQueue) {
				headers.put("x-app-origin-queue", QUEUE);
			}
			this.broker.sendJson(QUEUE, "m", headers, "{}");
			GetResponse parked = this.broker.take(QUEUE + ".parking-lot");
			assertThat(Handler.attempts).containsExactly(1, 2);
			assertThat(TestBroker.text(parked)).containsEntry("x-app-retry-reason", "RETRY_BUDGET_EXHAUSTED");
		}
	}

	/** As anyone may do who may write to the queue's own exchanges. */
	@ParameterizedTest
	@ValueSource(strings = { "", QUEUE + ".retry" })
	void aMessageThatPretendsToHaveWaitedIsParkedIfItWouldWaitBeyondItsAge(String exchange) throws Exception {
		try (ConfigurableApplicationContext application = start("max-retry-age=1m")) {
			Map<String, Object> headers = waitingForDays();
			if (exchange.isEmpty()) {
				headers.put("x-app-origin-queue", QUEUE);
				headers.put("x-death", List.of(Map.of("reason", "expired", "queue", QUEUE + ".retry.300ms", "count", 1L,
						"exchange", "", "routing-keys", List.of(QUEUE))));
			}
			this.broker.channel()
				.basicPublish(exchange, QUEUE, true, TestBroker.json("m").headers(headers).build(), "{}".getBytes());
			GetResponse parked = this.broker.take(QUEUE + ".parking-lot");
			assertThat(Handler.attempts).isEmpty();
			assertThat(TestBroker.text(parked)).containsEntry("x-app-retry-reason", "RETRY_AGE_EXCEEDED");
		}
	}

	/**
	 * The age begins with the first wait, and ends although no header says when it began.
	 */
	@Test
	void aMessageWhoseAgeCannotBeReadGetsOlderWhileItWaits() throws Exception {
		try (ConfigurableApplicationContext application = start("max-retry-age=4s")) {
			Instant notBefore = Instant.now().plusSeconds(2);
			Map<String, Object> headers = Map.of("x-app-retry-attempt", 1, "x-app-retry-not-before",
					notBefore.toString());
			this.broker.channel()
				.basicPublish(QUEUE + ".retry", QUEUE, true, TestBroker.json("m").headers(headers).build(),
						"{}".getBytes());
			GetResponse parked = this.broker.take(QUEUE + ".parking-lot");
			assertThat(Handler.attempts).containsExactly(1, 2);
			assertThat(Instant.parse(String.valueOf(TestBroker.text(parked).get("x-app-first-failure-at"))))
				.isBefore(notBefore.minusSeconds(1));
		}
	}

	private static Map<String, Object> waitingForDays() {
		return new HashMap<>(Map.of("x-app-retry-attempt", 1, "x-app-retry-not-before",
				Instant.now().plus(Duration.ofDays(9)).toString()));
	}

	private ConfigurableApplicationContext start(String kind) {
		Map<String, String> properties = new HashMap<>(
				Map.of("queue", QUEUE, "exchange", EXCHANGE, "routing-keys", "order.create", "retry-backoff", "fixed",
						"initial-delay", "300ms", "broker-attempts", "2", "local-attempts", "1"));
		String[] more = kind.split("=");
		properties.put(more[0], more[1]);
		if (kind.startsWith("work-queue")) {
			properties.keySet().removeAll(List.of("exchange", "routing-keys"));
		}
		return TestApplication.start(Application.class,
				properties.entrySet()
					.stream()
					.map((property) -> ORDER + property.getKey() + "=" + property.getValue())
					.toArray(String[]::new));
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Handler handler() {
			return new Handler();
		}

	}

	static class Handler {

		static final List<Object> attempts = new CopyOnWriteArrayList<>();

		@RabbitListener(queues = QUEUE)
		void handle(Message message) {
			attempts.add(message.getMessageProperties().getHeaders().getOrDefault("x-app-retry-attempt", 0));
			throw new IllegalStateException("no");
		}

	}

}
