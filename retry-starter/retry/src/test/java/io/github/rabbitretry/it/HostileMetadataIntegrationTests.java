/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.support.converter.JacksonJsonMessageConverter;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

class HostileMetadataIntegrationTests {

	private static final String QUEUE = "hostile.order";

	private static final String PARKED = QUEUE + ".parking-lot";

	private static TestBroker broker;

	private static ConfigurableApplicationContext application;

	@BeforeAll
	static void start() {
		broker = TestBroker.connect();
		application = TestApplication.start(Application.class, "rabbit-retry.message-policies.Order.queue=" + QUEUE,
				"rabbit-retry.message-policies.Order.retry-backoff=fixed",
				"rabbit-retry.message-policies.Order.initial-delay=200ms",
				"rabbit-retry.message-policies.Order.broker-attempts=1",
				"rabbit-retry.message-policies.Order.max-retry-age=1m", "spring.rabbitmq.listener.simple.prefetch=1");
	}

	@AfterAll
	static void stop() throws Exception {
		application.close();
		for (String queue : List.of(QUEUE, PARKED, QUEUE + ".dlq", QUEUE + ".retry.200ms")) {
			broker.channel().queueDelete(queue);
		}
		broker.close();
	}

	@BeforeEach
	void forget() {
		Application.handled.clear();
		// what a failed test leaves is none of the next one's
		broker.purge(PARKED);
	}

	@ParameterizedTest
	@MethodSource
	void aHealthyMessageIsHandledWhateverItsHeadersSay(String id, BasicProperties properties) {
		broker.send(QUEUE, properties, json("ok", id));
		awaitHandled(id);
	}

	static Stream<Arguments> aHealthyMessageIsHandledWhateverItsHeadersSay() {
		return hostile().filter((hostile) -> !hostile.get()[0].toString().startsWith("unreadable"))
			.filter((hostile) -> !hostile.get()[0].toString().startsWith("old"));
	}

	@ParameterizedTest
	@MethodSource("hostile")
	void aFailingMessageEndsInTheParkingLotWhateverItsHeadersSay(String id, BasicProperties properties) {
		broker.send(QUEUE, properties, json("fail", id));
		GetResponse parked = broker.take(PARKED);
		assertThat(new String(parked.getBody())).isEqualTo(json("fail", id));
		assertThat(parked.getProps().getExpiration()).isNull();
		assertThat(parked.getProps().getUserId()).isNull();
		assertThat(parked.getProps().getHeaders()).containsKeys("x-app-retry-reason", "x-app-parked-at")
			.doesNotContainKeys("CC", "x-death", "x-delivery-count");
		assertQuiet();
	}

	static Stream<Arguments> hostile() {
		return Stream.of(hostile("no-message-id", Map.of(), new BasicProperties.Builder()),
				hostile("attempt-text", Map.of("x-app-retry-attempt", "seven")),
				hostile("attempt-negative", Map.of("x-app-retry-attempt", -3)),
				hostile("attempt-huge", Map.of("x-app-retry-attempt", Integer.MAX_VALUE)),
				hostile("attempt-list", Map.of("x-app-retry-attempt", List.of(1, 2))),
				hostile("age-garbage", Map.of("x-app-first-failure-at", "yesterday")),
				hostile("age-future", Map.of("x-app-first-failure-at", "2199-01-01T00:00:00Z")),
				hostile("not-before-number", Map.of("x-app-retry-not-before", 12)),
				hostile("not-before-never", Map.of("x-app-retry-not-before", "9999-01-01T00:00:00Z")),
				hostile("old",
						Map.of("x-app-retry-attempt", 1, "x-app-first-failure-at", "1970-01-01T00:00:00Z",
								"x-app-retry-reason", "no reason", "x-app-retry-class", 5)),
				hostile("forged-death",
						Map.of("x-death", "not a list", "x-delivery-count", 99, "x-first-death-queue", "q")),
				hostile("forged-death-list", Map.of("x-death", List.of("a", Map.of("count", "x")))),
				hostile("own-words", Map.of("x-app-origin-queue", 7, "x-app-handover-id", 1L, "x-app-owner", "me")),
				hostile("nulls", nulls()), hostile("copies", Map.of("CC", List.of("hostile.elsewhere"))),
				hostile("expiring", Map.of(), new BasicProperties.Builder().expiration("60000")),
				hostile("user", Map.of(), new BasicProperties.Builder().userId("guest")),
				hostile("unknown-mode", Map.of(), new BasicProperties.Builder().deliveryMode(7)),
				hostile("unreadable-encoding", Map.of(),
						new BasicProperties.Builder().contentEncoding("no-such-encoding")),
				hostile("large-header", Map.of("large", "x".repeat(120 * 1024))), hostile("many-headers", many()),
				hostile("unreadable-type", Map.of("__TypeId__", "java.lang.ProcessBuilder")),
				hostile("unreadable-batch", Map.of("springBatchFormat", "lengthHeader4")));
	}

	private static Arguments hostile(String id, Map<String, Object> headers) {
		return hostile(id, headers, new BasicProperties.Builder().messageId(id));
	}

	private static Arguments hostile(String id, Map<String, Object> headers, BasicProperties.Builder properties) {
		return Arguments.of(id, properties.contentType("application/json").headers(headers).build());
	}

	private static Map<String, Object> nulls() {
		Map<String, Object> headers = new HashMap<>();
		headers.put("nothing", null);
		headers.put("x-app-retry-attempt", null);
		return headers;
	}

	private static Map<String, Object> many() {
		Map<String, Object> headers = new HashMap<>();
		for (int i = 0; i < 2000; i++) {
			headers.put("header-" + i, "value of header " + i + " of many");
		}
		return headers;
	}

	@Test
	void aHeaderThatLeavesNoRoomIsDroppedAndNamed() {
		broker.send(QUEUE,
				TestBroker.json("too-large").headers(Map.of("large", "x".repeat(120 * 1024), "small", "y")).build(),
				json("fail", "too-large"));
		Map<String, Object> headers = RetryLifecycleIntegrationTests.text(broker.take(PARKED));
		assertThat(headers).doesNotContainKey("large")
			.containsEntry("small", "y")
			.containsEntry("x-app-dropped-headers", "large")
			.containsEntry("x-app-retry-reason", "HEADERS_TOO_LARGE")
			.containsEntry("x-app-failure-reason", "UNKNOWN_FAILURE");
	}

	@Test
	void whatIsTakenOffTheCopyIsRecorded() {
		broker.send(QUEUE,
				TestBroker.json("recorded")
					.expiration("60000")
					.userId("guest")
					.headers(Map.of("CC", List.of("x")))
					.build(),
				json("fail", "recorded"));
		Map<String, Object> headers = RetryLifecycleIntegrationTests.text(broker.take(PARKED));
		assertThat(headers).containsEntry("x-app-origin-expiration", "60000")
			.containsEntry("x-app-origin-user-id", "guest")
			.containsEntry("x-app-origin-cc", "[x]");
	}

	private static void awaitHandled(String id) {
		Awaitility.await().until(() -> Application.handled.contains(id));
		assertQuiet();
	}

	private static void assertQuiet() {
		assertThat(broker.ready(QUEUE)).isZero();
		assertThat(broker.ready(PARKED)).isZero();
	}

	private static String json(String what, String id) {
		return "{\"what\":\"%s\",\"id\":\"%s\"}".formatted(what, id);
	}

	record Order(String what, String id) {
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		static final Set<String> handled = ConcurrentHashMap.newKeySet();

		@Bean
		JacksonJsonMessageConverter converter() {
			return new JacksonJsonMessageConverter();
		}

		@RabbitListener(queues = QUEUE)
		void handle(Order order) {
			if (order.what().equals("fail")) {
				throw new IllegalStateException("no");
			}
			handled.add(order.id());
		}

	}

}
