/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.impl.LongStringHelper;
import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.internal.message.ConsumerIdentity;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.message.ReceivedMessage;
import io.github.rabbitretry.internal.policy.TestPolicy;
import io.github.rabbitretry.topology.Usage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RetryHeadersTests {

	private static final Instant NOW = Instant.parse("2026-07-01T12:00:00Z");

	private static final DeliveryHistory FIRST_DELIVERY = new DeliveryHistory(0, null, null, Duration.ZERO, 0,
			Usage.NONE, null, List.of());

	private final RetryHeaders retryHeaders = new RetryHeaders(new ConsumerIdentity("worker", "worker:1.0"));

	@Test
	void theFirstFailureIsToldWhole() {
		Map<String, Object> headers = tell(new BasicProperties.Builder().messageId("m-1").build(), "order.command",
				"order.create", FIRST_DELIVERY);
		assertThat(headers).containsExactlyInAnyOrderEntriesOf(
				Map.ofEntries(Map.entry("x-app-retry-attempt", 1), Map.entry("x-app-retry-max", 3),
						Map.entry("x-app-retry-reason", "WHY"), Map.entry("x-app-retry-class", "permanent-technical"),
						Map.entry("x-app-first-failure-at", "2026-07-01T12:00:00Z"),
						Map.entry("x-app-last-failure-at", "2026-07-01T12:00:00Z"),
						Map.entry("x-app-message-type", "Order"), Map.entry("x-app-consumer", "worker"),
						Map.entry("x-app-owner", "team-orders"), Map.entry("x-app-origin-exchange", "order.command"),
						Map.entry("x-app-origin-routing-key", "order.create"), Map.entry("x-app-origin-queue", "order"),
						Map.entry("x-app-origin-message-id", "m-1")));
	}

	@Test
	void aLaterFailureKeepsWhenAndWhereItBegan() {
		BasicProperties received = new BasicProperties.Builder().messageId("changed")
			.headers(Map.of("x-app-origin-exchange", LongStringHelper.asLongString("order.command"),
					"x-app-origin-routing-key", "order.create", "x-app-origin-message-id", "m-1"))
			.build();
		DeliveryHistory history = new DeliveryHistory(1, NOW.minusSeconds(60), null, Duration.ofSeconds(5), 1,
				Usage.NONE, null, List.of());
		assertThat(tell(received, "order.retry", "order", history))
			.containsEntry("x-app-first-failure-at", "2026-07-01T11:59:00Z")
			.containsEntry("x-app-last-failure-at", "2026-07-01T12:00:00Z")
			.containsEntry("x-app-origin-exchange", "order.command")
			.containsEntry("x-app-origin-routing-key", "order.create")
			.containsEntry("x-app-origin-message-id", "m-1");
	}

	@Test
	void theRingIsNeverAnOrigin() {
		assertThat(tell(new BasicProperties(), "order.retry", "order", FIRST_DELIVERY))
			.doesNotContainKeys("x-app-origin-exchange", "x-app-origin-routing-key")
			.containsEntry("x-app-origin-queue", "order");
	}

	@Test
	void theDefaultExchangeIsAnOrigin() {
		assertThat(tell(new BasicProperties(), "", "order", FIRST_DELIVERY)).containsEntry("x-app-origin-exchange", "")
			.containsEntry("x-app-origin-routing-key", "order");
	}

	@Test
	void whatIsTakenOffTheCopyIsRecorded() {
		BasicProperties received = new BasicProperties.Builder().expiration("60000")
			.userId("producer")
			.headers(Map.of("CC", List.of(LongStringHelper.asLongString("a"), LongStringHelper.asLongString("b"))))
			.build();
		assertThat(tell(received, "e", "k", FIRST_DELIVERY)).containsEntry("x-app-origin-expiration", "60000")
			.containsEntry("x-app-origin-user-id", "producer")
			.containsEntry("x-app-origin-cc", "[a, b]");
	}

	@Test
	void anOriginOfAWrongTypeIsReplaced() {
		BasicProperties received = new BasicProperties.Builder()
			.headers(Map.of("x-app-origin-exchange", 5, "x-app-origin-queue", List.of("q")))
			.build();
		assertThat(tell(received, "e", "k", FIRST_DELIVERY)).containsEntry("x-app-origin-exchange", "e")
			.containsEntry("x-app-origin-queue", "order");
	}

	@Test
	void foreignTextIsBounded() {
		BasicProperties received = new BasicProperties.Builder()
			.headers(Map.of("x-app-origin-exchange", "\u20ac".repeat(50_000)))
			.build();
		assertThat(tell(received, "e", "k", FIRST_DELIVERY).get("x-app-origin-exchange").toString().getBytes())
			.hasSizeLessThanOrEqualTo(255);
	}

	private Map<String, Object> tell(BasicProperties properties, String exchange, String routingKey,
			DeliveryHistory history) {
		ReceivedMessage received = new ReceivedMessage(properties, new byte[0], exchange, routingKey, "order");
		return this.retryHeaders.of(TestDelivery.of(TestPolicy.order().build(), received, history, null, NOW),
				history.attempt() + 1, "WHY", FailureClass.PERMANENT_TECHNICAL);
	}

}
