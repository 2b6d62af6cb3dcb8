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
import io.github.rabbitretry.internal.handover.Delivery;
import io.github.rabbitretry.internal.handover.OutboundMessage;
import io.github.rabbitretry.internal.handover.TestDelivery;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.message.ReceivedMessage;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.ParkReply;
import io.github.rabbitretry.internal.policy.TestPolicy;
import io.github.rabbitretry.topology.Usage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class ParkRepliesTests {

	private static final Instant NOW = Instant.parse("2026-07-01T12:00:00Z");

	private static final Decision.Park EXHAUSTED = new Decision.Park("RETRY_BUDGET_EXHAUSTED", FailureClass.TRANSIENT,
			"DOWNSTREAM_TIMEOUT");

	private static final MessagePolicy ANSWERED = TestPolicy.named("Or\"der").onParkReply(ParkReply.ERROR).build();

	private static final MessagePolicy ALLOWING = TestPolicy.order()
		.onParkReply(ParkReply.ERROR)
		.parkReplyExchanges("answers")
		.build();

	private static final MessagePolicies POLICIES = new MessagePolicies(
			List.of(ALLOWING, TestPolicy.named("Invoice").queue("invoice").build()));

	@ParameterizedTest
	@CsvSource({ "amq.rabbitmq.reply-to.g1h2AA5yZXBseUAxMjM0.a2V5, true",
			"amq.rabbitmq.reply-to.g1h2AA5yZXBseUAxMjM=.a2V5MQ==, true",
			"amq.rabbitmq.reply-to.g1h2AA5yZXBseUAxMjM.key==, false", "amq.rabbitmq.reply-to.g1h2.a_b-, false",
			"amq.rabbitmq.reply-to.g1h2, false", "amq.rabbitmq.reply-to.., false", "amq.rabbitmq.reply-to.=.=, false",
			"amq.rabbitmq.reply-to.g1h2.a2V5.a2V5, false" })
	void aDirectReplyToHasToBeOneThatRabbitMqMayHaveGivenOut(String replyTo, boolean answered) {
		this.request.replyTo(replyTo);
		assertThat(reply(ANSWERED).isPresent()).isEqualTo(answered);
	}

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

	@ParameterizedTest
	@CsvSource({ "replies, replies", "/replies, replies", "x:///replies, replies", "//replies, /replies",
			"amq.rabbitmq.reply-to.g1h2AA/x.eQ==, amq.rabbitmq.reply-to.g1h2AA/x.eQ==" })
	void anAddressWithoutAnExchangeIsAQueue(String address, String queue) {
		this.request.replyTo(address);
		assertThat(reply(ANSWERED)).hasValueSatisfying((reply) -> {
			assertThat(reply.exchange()).isEmpty();
			assertThat(reply.routingKey()).isEqualTo(queue);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "answers/orders.eu", "fanout://answers/orders.eu", "a://b://answers/orders.eu" })
	void anAddressMayNameAnExchangeThatThePolicyAllows(String address) {
		this.request.replyTo(address);
		assertThat(reply(ANSWERED)).isEmpty();
		assertThat(reply(ALLOWING)).hasValueSatisfying((reply) -> {
			assertThat(reply.exchange()).isEqualTo("answers");
			assertThat(reply.routingKey()).isEqualTo("orders.eu");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "amq.topic/orders.eu", "Answers/k", "answers /k", "answers%2F/k", "%61nswers/k",
			"\uFF41nswers/k", "answers\u200B/k", "answers.x/k", "topic://amq.topic/answers/k", "x://y/answers/k" })
	void noOtherExchangeIsAllowedWithIt(String address) {
		this.request.replyTo(address);
		assertThat(reply(ALLOWING)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "order", "/order", "x:///order", "order.dlq", "order.parking-lot", "order.quarantine",
			"order.retry.10s", "order.retry.return", "rabbit-retry.delay.v1.1s", "rabbit-retry.delay.v1.unroutable",
			"invoice", "invoice.parking-lot" })
	void queuesOfThePoliciesGetNoReplies(String queue) {
		this.request.replyTo(queue);
		assertThat(reply(ALLOWING)).isEmpty();
	}

	@Test
	void aRefusedReplyIsLoggedWithoutControlCharactersAndNotForEachRequest(CapturedOutput output) {
		ParkReplies replies = new ParkReplies(new MessagePolicies(List.of(ANSWERED)));
		for (int request = 0; request < 3; request++) {
			this.request.replyTo("for\nged" + request + "/k");
			assertThat(replies.to(delivery(ANSWERED), EXHAUSTED)).isEmpty();
		}
		assertThat(output).containsOnlyOnce("gets no reply")
			.contains("names exchange 'for?ged0', which is not in park-reply-exchanges");
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
		return new ParkReplies(POLICIES).to(delivery(policy), EXHAUSTED);
	}

	private Delivery delivery(MessagePolicy policy) {
		ReceivedMessage received = new ReceivedMessage(this.request.build(), "{}".getBytes(StandardCharsets.UTF_8), "",
				"order", "order");
		DeliveryHistory history = new DeliveryHistory(3, NOW, null, Duration.ZERO, 3, Usage.NONE, null, List.of());
		return TestDelivery.of(policy, received, history, null, NOW);
	}

}
