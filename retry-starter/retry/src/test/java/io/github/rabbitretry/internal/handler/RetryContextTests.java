/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handler;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.Instruction;
import io.github.rabbitretry.handler.BudgetSpentException;
import io.github.rabbitretry.handler.DownstreamCallInterceptor;
import io.github.rabbitretry.handler.RetryContext;
import io.github.rabbitretry.internal.message.ReceivedMessage;
import io.github.rabbitretry.internal.policy.TestPolicy;
import io.github.rabbitretry.topology.Usage;
import org.junit.jupiter.api.Test;

import org.springframework.http.HttpMethod;
import org.springframework.mock.http.client.MockClientHttpRequest;
import org.springframework.mock.http.client.MockClientHttpResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RetryContextTests {

	private static final Instant NOW = Instant.parse("2026-07-01T12:00:00Z");

	@Test
	void ofAFirstDeliverySaysThatNothingHasHappenedYet() {
		DeliveryContext context = context(TestPolicy.order(), Map.of());
		assertThat(context.attempt()).isZero();
		assertThat(context.maxAttempts()).isEqualTo(3);
		assertThat(context.level()).isZero();
		assertThat(context.age()).isZero();
		assertThat(context.firstFailureAt()).isEmpty();
		assertThat(context.lastReason()).isEmpty();
		assertThat(context.lastFailureClass()).isEmpty();
		assertThat(context.remainingDownstreamCalls()).isEmpty();
		assertThat(context.remainingCost()).isEmpty();
	}

	@Test
	void ofARetriedMessageTellsItsStory() {
		DeliveryContext context = context(TestPolicy.order().maxDownstreamCalls(10L).maxCost(5L),
				Map.of("x-app-retry-attempt", 2, "x-app-first-failure-at", "2026-07-01T11:00:00Z", "x-app-retry-level",
						3, "x-app-retry-reason", "RATE_LIMITED", "x-app-retry-class", "contention",
						"x-app-downstream-calls", 4L, "x-app-cost", 9L));
		assertThat(context.attempt()).isEqualTo(2);
		assertThat(context.level()).isEqualTo(3);
		assertThat(context.age()).isEqualTo(Duration.ofHours(1));
		assertThat(context.firstFailureAt()).contains(NOW.minus(Duration.ofHours(1)));
		assertThat(context.lastReason()).contains("RATE_LIMITED");
		assertThat(context.lastFailureClass()).contains(FailureClass.CONTENTION);
		assertThat(context.remainingDownstreamCalls()).hasValue(6);
		assertThat(context.remainingCost()).hasValue(0);
	}

	@Test
	void whatIsNotAllowedIsNotCounted() {
		DeliveryContext context = context(TestPolicy.order().maxDownstreamCalls(10L),
				Map.of("x-app-downstream-calls", 8L));
		assertThatExceptionOfType(BudgetSpentException.class).isThrownBy(() -> context.spendDownstreamCalls(3))
			.withMessage(
					"max-downstream-calls of message policy 'Order' is 10: 8 are spent and 3 more would exceed it");
		context.spendDownstreamCalls(2);
		context.spendDownstreamCalls(0);
		assertThat(context.remainingDownstreamCalls()).hasValue(0);
		assertThatExceptionOfType(BudgetSpentException.class).isThrownBy(context::spendDownstreamCall)
			.satisfies((spent) -> assertThat(spent.classification()).isEqualTo(FailureClassification
				.instructed(FailureClass.TRANSIENT, "RETRY_BUDGET_EXHAUSTED", new Instruction.Park())));
		assertThat(context.history().usage()).isEqualTo(new Usage(10, 0));
		context.spendCost(1_000);
		assertThat(context.usage()).isEqualTo(new Usage(10, 1_000));
	}

	@Test
	void nothingCanBeGivenBack() {
		DeliveryContext context = context(TestPolicy.order(), Map.of());
		assertThatIllegalArgumentException().isThrownBy(() -> context.spendCost(-1));
		assertThatIllegalArgumentException().isThrownBy(() -> context.spendDownstreamCalls(Long.MIN_VALUE));
		context.spendCost(Long.MAX_VALUE);
		context.spendCost(Long.MAX_VALUE);
		assertThat(context.usage().cost()).isEqualTo(Usage.LARGEST);
	}

	@Test
	void whatLaterDeliveriesFindIsWhatThisOneCounted() {
		DeliveryContext context = context(TestPolicy.order(), Map.of("x-app-cost", 2L));
		assertThat(context.history().usage()).isEqualTo(new Usage(0, 2));
		context.spendCost(3);
		assertThat(context.history().usage()).isEqualTo(new Usage(0, 5));
	}

	@Test
	void outsideOfPoliciesIsAFirstDeliveryWithoutBounds() {
		RetryContext context = RetryContext.uncovered();
		context.spendDownstreamCalls(1_000_000);
		context.spendCost(7);
		assertThat(context.usage()).isEqualTo(new Usage(1_000_000, 7));
		assertThat(context.attempt() + context.maxAttempts() + context.localAttempt() + context.level()).isZero();
		assertThat(context.age()).isZero();
		assertThat(context.remainingDownstreamCalls()).isEmpty();
		assertThat(context.remainingCost()).isEmpty();
		assertThat(context.lastReason()).isEmpty();
	}

	@Test
	void anHttpClientsRequestsAreSpentBeforeTheyAreSent() throws Exception {
		AtomicInteger sent = new AtomicInteger();
		DownstreamCallInterceptor interceptor = new DownstreamCallInterceptor();
		MockClientHttpRequest request = new MockClientHttpRequest(HttpMethod.GET, "http://127.0.0.1/");
		interceptor.intercept(request, new byte[0], (again, body) -> {
			sent.incrementAndGet();
			return new MockClientHttpResponse();
		});
		DeliveryContext before = DeliveryContext.bind(context(TestPolicy.order().maxDownstreamCalls(1L), Map.of()));
		try {
			interceptor.intercept(request, new byte[0], (again, body) -> {
				sent.incrementAndGet();
				return new MockClientHttpResponse();
			});
			assertThatExceptionOfType(BudgetSpentException.class)
				.isThrownBy(() -> interceptor.intercept(request, new byte[0], (again, body) -> {
					sent.incrementAndGet();
					return new MockClientHttpResponse();
				}));
		}
		finally {
			DeliveryContext.bind(before);
		}
		assertThat(sent).hasValue(2);
		assertThat(RetryContext.current()).isEmpty();
	}

	private static DeliveryContext context(TestPolicy policy, Map<String, Object> headers) {
		BasicProperties properties = new BasicProperties.Builder().headers(headers).build();
		return new DeliveryContext(policy.build(), new ReceivedMessage(properties, new byte[0], "", "order", "order"),
				InstantSource.fixed(NOW), () -> 0);
	}

}
