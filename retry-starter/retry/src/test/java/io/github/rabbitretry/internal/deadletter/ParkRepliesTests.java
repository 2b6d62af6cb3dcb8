/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deadletter;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.internal.handover.OutboundMessage;
import io.github.rabbitretry.internal.handover.ReceivedMessage;
import io.github.rabbitretry.internal.handover.TestDelivery;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.ParkReply;
import io.github.rabbitretry.internal.policy.TestPolicy;
import io.github.rabbitretry.internal.topology.DeliveryHistory;
import io.github.rabbitretry.topology.Usage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ParkRepliesTests {

	private static final Instant NOW = Instant.parse("2026-07-01T12:00:00Z");

	private static final Decision.Park EXHAUSTED = new Decision.Park("RETRY_BUDGET_EXHAUSTED", FailureClass.TRANSIENT,
			"DOWNSTREAM_TIMEOUT");

	private static final MessagePolicy ANSWERED = TestPolicy.named("Or\"der").onParkReply(ParkReply.ERROR).build();

	private final BasicProperties.Builder request = new BasicProperties.Builder().replyTo("replies")
		.correlationId("c-1")
		.messageId("m-1");

	@Test
	void anErrorReplySaysThatTheRequestIsParkedAndWhy() {
		OutboundMessage reply = reply(ANSWERED).orElseThrow();
		assertThat(reply.exchange()).isEmpty();
		assertThat(reply.routingKey()).isEqualTo("replies");
		assertThat(reply.mandatory()).isFalse();
		assertThat(reply.properties().getCorrelationId()).isEqualTo("c-1");
		assertThat(reply.properties().getContentType()).isEqualTo("application/json");
		assertThat(reply.properties().getHeaders()).isEqualTo(
				Map.of("x-app-reply", "parked", "x-app-retry-reason", "RETRY_BUDGET_EXHAUSTED", "x-app-retry-class",
						"transient", "x-app-failure-reason", "DOWNSTREAM_TIMEOUT", "x-app-message-type", "Or\"der"));
		assertThat(new String(reply.body(), StandardCharsets.UTF_8))
			.isEqualTo("{\"status\":\"PARKED\",\"messageType\":\"Or\\\"der\",\"reason\":\"RETRY_BUDGET_EXHAUSTED\","
					+ "\"failureReason\":\"DOWNSTREAM_TIMEOUT\",\"failureClass\":\"transient\",\"attempts\":4,"
					+ "\"parkedAt\":\"2026-07-01T12:00:00Z\"}");
	}

	@Test
	void aRequestWithoutCorrelationIdIsAnsweredByItsMessageId() {
		this.request.correlationId(null);
		assertThat(reply(ANSWERED).orElseThrow().properties().getCorrelationId()).isEqualTo("m-1");
	}

	@Test
	void anAddressMayNameAnExchange() {
		this.request.replyTo("answers/orders.eu");
		assertThat(reply(ANSWERED)).hasValueSatisfying((reply) -> {
			assertThat(reply.exchange()).isEqualTo("answers");
			assertThat(reply.routingKey()).isEqualTo("orders.eu");
		});
		this.request.replyTo("amq.rabbitmq.reply-to.g1h2AA/x.y==");
		assertThat(reply(ANSWERED)).hasValueSatisfying((reply) -> {
			assertThat(reply.exchange()).isEmpty();
			assertThat(reply.routingKey()).isEqualTo("amq.rabbitmq.reply-to.g1h2AA/x.y==");
		});
	}

	@Test
	void nobodyIsAnsweredWhoDidNotAskOrDoesNotWaitAnyMore() {
		assertThat(reply(TestPolicy.order().build())).isEmpty();
		this.request.headers(Map.of("x-replayed", true));
		assertThat(reply(ANSWERED)).isEmpty();
		this.request.headers(null).replyTo(null);
		assertThat(reply(ANSWERED)).isEmpty();
		this.request.replyTo(" ");
		assertThat(reply(ANSWERED)).isEmpty();
		this.request.replyTo("e".repeat(300) + "/k");
		assertThat(reply(ANSWERED)).isEmpty();
	}

	private Optional<OutboundMessage> reply(MessagePolicy policy) {
		ReceivedMessage received = new ReceivedMessage(this.request.build(), "{}".getBytes(StandardCharsets.UTF_8), "",
				"order", "order");
		DeliveryHistory history = new DeliveryHistory(3, NOW, null, Duration.ZERO, 3, Usage.NONE, null, List.of());
		return ParkReplies.to(TestDelivery.of(policy, received, history, null, NOW), EXHAUSTED);
	}

}
