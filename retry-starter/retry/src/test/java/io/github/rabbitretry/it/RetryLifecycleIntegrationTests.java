/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.support.converter.JacksonJsonMessageConverter;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("smoke")
class RetryLifecycleIntegrationTests {

	private static final String QUEUE = "lifecycle.order";

	private final TestBroker broker = TestBroker.connect();

	private ConfigurableApplicationContext application;

	@BeforeEach
	void start() {
		List<String> arguments = new ArrayList<>(TestBroker.arguments());
		arguments.addAll(List.of("--rabbit-retry.defaults.owner=team-orders", "--spring.application.name=worker",
				"--rabbit-retry.message-policies.Order.queue=" + QUEUE,
				"--rabbit-retry.message-policies.Order.retry-backoff=exponential",
				"--rabbit-retry.message-policies.Order.initial-delay=500ms",
				"--rabbit-retry.message-policies.Order.multiplier=2",
				"--rabbit-retry.message-policies.Order.broker-attempts=3",
				"--rabbit-retry.message-policies.Order.local-attempts=1"));
		this.application = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.run(arguments.toArray(String[]::new));
		Application.deliveries.clear();
		Application.handler = (message) -> {
		};
	}

	@AfterEach
	void stop() throws Exception {
		this.application.close();
		for (String queue : List.of(QUEUE, QUEUE + ".parking-lot", QUEUE + ".dlq", QUEUE + ".retry.500ms",
				QUEUE + ".retry.1s", QUEUE + ".retry.2s")) {
			this.broker.channel().queueDelete(queue);
		}
		this.broker.close();
	}

	@Test
	void aTimeoutIsRetriedAtTheScheduledDelaysAndThenParked() {
		Application.handler = (message) -> {
			throw new IllegalStateException("no answer", new SocketTimeoutException("read"));
		};
		BasicProperties sent = TestBroker.json("m-1")
			.correlationId("c-1")
			.type("Order")
			.appId("shop")
			.priority(4)
			.timestamp(new Date(1_782_000_000_000L))
			.headers(Map.of("traceparent", "00-abc", "tenant", 7))
			.build();
		this.broker.send(QUEUE, sent, "{\"id\":\"o-1\"}");
		GetResponse parked = this.broker.take(QUEUE + ".parking-lot");
		List<Delivery> deliveries = List.copyOf(Application.deliveries);
		assertThat(deliveries).hasSize(4);
		Duration expected = Duration.ofMillis(500);
		for (int attempt = 1; attempt <= 3; attempt++) {
			Duration waited = Duration.between(deliveries.get(attempt - 1).at(), deliveries.get(attempt).at());
			assertThat(waited).isGreaterThanOrEqualTo(expected).isLessThan(expected.plusSeconds(5));
			assertThat(deliveries.get(attempt).headers()).containsEntry("x-app-retry-attempt", attempt)
				.containsEntry("x-app-retry-max", 3)
				.containsEntry("x-app-retry-reason", "DOWNSTREAM_TIMEOUT")
				.containsEntry("x-app-retry-class", "transient")
				.containsEntry("x-app-retry-delay", expected.toMillis());
			expected = expected.multipliedBy(2);
		}
		assertThat(parked.getBody()).isEqualTo("{\"id\":\"o-1\"}".getBytes());
		assertThat(parked.getProps().getHeaders()).doesNotContainKeys("x-death", "x-delivery-count",
				"x-first-death-queue", "x-last-death-queue");
		Map<String, Object> headers = text(parked);
		assertThat(headers).containsEntry("traceparent", "00-abc")
			.containsEntry("tenant", "7")
			.containsEntry("x-app-retry-attempt", "3")
			.containsEntry("x-app-retry-max", "3")
			.containsEntry("x-app-retry-reason", "RETRY_BUDGET_EXHAUSTED")
			.containsEntry("x-app-failure-reason", "DOWNSTREAM_TIMEOUT")
			.containsEntry("x-app-retry-class", "transient")
			.containsEntry("x-app-message-type", "Order")
			.containsEntry("x-app-consumer", "worker")
			.containsEntry("x-app-owner", "team-orders")
			.containsEntry("x-app-origin-exchange", "")
			.containsEntry("x-app-origin-routing-key", QUEUE)
			.containsEntry("x-app-origin-queue", QUEUE)
			.containsEntry("x-app-origin-message-id", "m-1")
			.containsEntry("x-app-exception", "java.lang.IllegalStateException <- java.net.SocketTimeoutException")
			.containsEntry("x-app-exception-message", "no answer")
			.containsEntry("x-app-root-exception", "java.net.SocketTimeoutException")
			.hasEntrySatisfying("x-app-exception-frames",
					(frames) -> assertThat(frames).asString().contains(RetryLifecycleIntegrationTests.class.getName()))
			.hasEntrySatisfying("x-app-retry-history",
					(history) -> assertThat(List.of(history.toString().split("; ")))
						.map((attempt) -> attempt.split(" ", 2)[1])
						.containsExactly("#1 DOWNSTREAM_TIMEOUT 500ms worker", "#2 DOWNSTREAM_TIMEOUT 1s worker",
								"#3 DOWNSTREAM_TIMEOUT 2s worker", "#4 DOWNSTREAM_TIMEOUT parked worker"))
			.containsKeys("x-app-first-failure-at", "x-app-last-failure-at", "x-app-parked-at", "x-app-payload-hash",
					"x-app-failure-fingerprint", "x-app-handler-version", "x-app-replay-policy");
		BasicProperties got = parked.getProps();
		assertThat(got.builder().headers(null).build()).isEqualTo(sent.builder().headers(null).build());
		MeterRegistry meters = this.application.getBean(MeterRegistry.class);
		Awaitility.await().untilAsserted(() -> {
			assertThat(deliveries(meters, "received")).isEqualTo(4);
			assertThat(deliveries(meters, "retried")).isEqualTo(3);
			assertThat(deliveries(meters, "parked")).isEqualTo(1);
			assertThat(meters.get("parking.lot.messages")
				.tags("message_type", "Order", "reason", "RETRY_BUDGET_EXHAUSTED")
				.counter()
				.count()).isEqualTo(1);
			assertThat(meters.get("retry.attempts")
				.tags("reason", "DOWNSTREAM_TIMEOUT", "failure_class", "transient", "message_type", "Order")
				.counter()
				.count()).isEqualTo(3);
		});
	}

	@Test
	void aWorkQueueThatIsDeletedIsDeclaredAgain() throws Exception {
		this.broker.channel().queueDelete(QUEUE);
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> this.broker.isConsumed(QUEUE));
		this.broker.sendJson(QUEUE, "m-3", Map.of(), "{\"id\":\"o-3\"}");
		Awaitility.await().until(() -> Application.deliveries.size() == 1);
	}

	@Test
	void malformedJsonIsParkedAtFirstSight() {
		this.broker.sendJson(QUEUE, "m-2", Map.of(), "{not json");
		Map<String, Object> headers = text(this.broker.take(QUEUE + ".parking-lot"));
		assertThat(headers).containsEntry("x-app-retry-reason", "DESERIALIZATION_FAILED")
			.containsEntry("x-app-retry-class", "permanent-technical")
			.containsEntry("x-app-retry-attempt", "0");
		assertThat(Application.deliveries).isEmpty();
	}

	@Test
	void malformedJsonFromTheRingIsParkedAtFirstSightToo() throws Exception {
		this.broker.channel()
			.basicPublish(QUEUE + ".retry", QUEUE + ".retry.500ms", true,
					TestBroker.json("m-3").headers(Map.of("x-app-retry-attempt", 1)).build(), "{not json".getBytes());
		Map<String, Object> headers = text(this.broker.take(QUEUE + ".parking-lot"));
		assertThat(headers).containsEntry("x-app-retry-reason", "DESERIALIZATION_FAILED")
			.containsEntry("x-app-retry-attempt", "1");
	}

	@Test
	void aHandledMessageIsAcknowledged() {
		this.broker.sendJson(QUEUE, "m-4", Map.of(), "{\"id\":\"o-4\"}");
		MeterRegistry meters = this.application.getBean(MeterRegistry.class);
		Awaitility.await().untilAsserted(() -> assertThat(deliveries(meters, "acked")).isEqualTo(1));
		this.application.close();
		assertThat(this.broker.ready(QUEUE)).isZero();
	}

	private static double deliveries(MeterRegistry meters, String outcome) {
		return meters.get("rabbit.retry.deliveries")
			.tags("outcome", outcome, "message_type", "Order")
			.counter()
			.count();
	}

	static Map<String, Object> text(GetResponse message) {
		Map<String, Object> text = new TreeMap<>();
		message.getProps().getHeaders().forEach((name, value) -> text.put(name, String.valueOf(value)));
		return text;
	}

	record Order(String id) {
	}

	record Delivery(Instant at, Map<String, Object> headers) {
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		static final List<Delivery> deliveries = new CopyOnWriteArrayList<>();

		static volatile Consumer<Message> handler = (message) -> {
		};

		@Bean
		JacksonJsonMessageConverter converter() {
			return new JacksonJsonMessageConverter();
		}

		@Bean
		MeterRegistry meters() {
			return new SimpleMeterRegistry();
		}

		@RabbitListener(queues = QUEUE)
		void handle(Order order, Message message) {
			deliveries.add(new Delivery(Instant.now(), Map.copyOf(message.getMessageProperties().getHeaders())));
			handler.accept(message);
		}

	}

}
