/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.impl.LongStringHelper;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.TestPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class ForeignHeaderFilterTests {

	private static final MessagePolicy POLICY = TestPolicy.order().build();

	@ParameterizedTest
	@MethodSource
	void aMessageThatCameBackKeepsAllHeaders(String exchange, String routingKey, Object originQueue) {
		ReceivedMessage received = received(exchange, routingKey, originQueue);
		assertThat(ForeignHeaderFilter.removed(POLICY, received)).isSameAs(received);
	}

	static Stream<Arguments> aMessageThatCameBackKeepsAllHeaders() {
		return Stream.of(arguments("order.retry", "order", "order"),
				// its queue had another name when it failed first
				arguments("order.retry", "order", "order.v1"),
				arguments("rabbit-retry.delay.v1.delivery", "0.0.1.order", "order"),
				arguments("order.dlx", "order.quarantine", "order"),
				// from the retry queues or a replay of a queue that is not ours, by a
				// shovel
				arguments("", "order", "order"), arguments("", "order", LongStringHelper.asLongString("order")));
	}

	@ParameterizedTest
	@MethodSource
	void aMessageOfAnotherQueueLosesAllThatWasWrittenForThat(String exchange, String routingKey, Object originQueue) {
		ReceivedMessage received = received(exchange, routingKey, originQueue);
		assertThat(ForeignHeaderFilter.removed(POLICY, received).headers())
			.isEqualTo(Map.of("tenant", 7, "x-app-tenant", 8, "x-death", "forged"));
		assertThat(received.headers()).as("what was received").containsKey("x-app-retry-attempt");
	}

	static Stream<Arguments> aMessageOfAnotherQueueLosesAllThatWasWrittenForThat() {
		return Stream.of(arguments("order.command", "order.create", "payment"),
				// of a queue of the same name in another virtual host, or after a round
				// trip
				arguments("order.command", "order.create", "order"), arguments("order.command", "order.create", null),
				arguments("payment.retry", "order.create", "order"), arguments("order.retry.copy", "x", "order"),
				arguments("", "order", "payment"), arguments("order.command", "order", "payment"));
	}

	/** The queue's name is the default of {@code routing-keys}. */
	@ParameterizedTest
	@ValueSource(strings = { "order.command", "amq.topic" })
	void aMessageThroughAnExchangeOfProducersThatNamesNoQueueDidNotComeBackWhateverItsKey(String exchange) {
		assertThat(ForeignHeaderFilter.removed(POLICY, received(exchange, "order", null)).headers())
			.isEqualTo(Map.of("tenant", 7, "x-app-tenant", 8, "x-death", "forged"));
	}

	@ParameterizedTest
	@MethodSource
	void aMessageThatMayHaveComeBackKeepsWhatBoundsItsWorkAndNoOrigin(String exchange, Object originQueue) {
		assertThat(ForeignHeaderFilter.removed(POLICY, received(exchange, "order", originQueue)).headers())
			.containsEntry("x-app-retry-attempt", 3)
			.containsEntry("x-app-first-failure-at", "2026-07-01T11:59:00Z")
			.containsEntry("x-app-retry-history", "h")
			.doesNotContainKeys("x-app-origin-routing-key", "x-replay-id", "x-replay-item");
	}

	static Stream<Arguments> aMessageThatMayHaveComeBackKeepsWhatBoundsItsWorkAndNoOrigin() {
		return Stream.of(arguments("", null), arguments("", 7),
				// from retry queues of former names, or of an operator
				arguments("former.retry", "order"), arguments("order.command", "order"));
	}

	@ParameterizedTest
	@MethodSource
	void aMessageByItsQueuesNameWaitsOnOnlyIfItHasWaitedBefore(String exchange, Object originQueue) {
		assertThat(filtered(exchange, originQueue, "forged")).containsEntry("x-app-retry-attempt", 3)
			.doesNotContainKeys("x-app-retry-not-before", "x-app-retry-delay");
		assertThat(filtered(exchange, originQueue, List.of(Map.of("reason", "rejected", "queue", "other"))))
			.doesNotContainKeys("x-app-retry-not-before", "x-app-retry-delay");
		assertThat(filtered(exchange, originQueue, List.of(Map.of("reason", "expired", "queue", "order.retry.1s"))))
			.containsKeys("x-app-retry-attempt", "x-app-retry-not-before", "x-app-retry-delay");
	}

	private static Map<String, Object> filtered(String exchange, Object originQueue, Object deaths) {
		Map<String, Object> headers = received(exchange, "order", originQueue).headers();
		headers.putAll(
				Map.of("x-app-retry-not-before", "2026-07-01T12:01:00Z", "x-app-retry-delay", 9L, "x-death", deaths));
		return ForeignHeaderFilter
			.removed(POLICY,
					new ReceivedMessage(new BasicProperties.Builder().headers(headers).build(), new byte[0], exchange,
							"order", "order"))
			.headers();
	}

	static Stream<Arguments> aMessageByItsQueuesNameWaitsOnOnlyIfItHasWaitedBefore() {
		return Stream.of(arguments("", "order"), arguments("", null), arguments("former.retry", "order"));
	}

	@Test
	void anOriginNestedDeeperThanATextCanBeMadeOfIsRemovedToo() {
		Map<String, Object> nested = Map.of();
		for (int depth = 0; depth < 100_000; depth++) {
			nested = Map.of("n", nested);
		}
		assertThat(ForeignHeaderFilter.removed(POLICY, received("order.command", "order.create", nested)).headers())
			.doesNotContainKey("x-app-origin-queue");
	}

	@Test
	void aMessageWithoutSuchHeadersIsNotCopied() {
		ReceivedMessage none = new ReceivedMessage(new BasicProperties(), new byte[0], "order.command", "order.create",
				"order");
		ReceivedMessage others = new ReceivedMessage(
				new BasicProperties.Builder().headers(Map.of("tenant", 7, "x-app-tenant", 8)).build(), new byte[0],
				"order.command", "order.create", "order");
		assertThat(ForeignHeaderFilter.removed(POLICY, none)).isSameAs(none);
		assertThat(ForeignHeaderFilter.removed(POLICY, others)).isSameAs(others);
	}

	private static ReceivedMessage received(String exchange, String routingKey, Object originQueue) {
		Map<String, Object> headers = new HashMap<>(Map.of("tenant", 7, "x-app-tenant", 8, "x-death", "forged",
				"x-app-retry-attempt", 3, "x-app-first-failure-at", "2026-07-01T11:59:00Z", "x-app-retry-history", "h",
				"x-app-origin-routing-key", "k", "x-replay-id", "r-1", "x-replay-item", 7L));
		if (originQueue != null) {
			headers.put("x-app-origin-queue", originQueue);
		}
		return new ReceivedMessage(new BasicProperties.Builder().headers(headers).build(), new byte[0], exchange,
				routingKey, "order");
	}

}
