/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.internal.policy.OutageSettings;
import io.github.rabbitretry.internal.policy.TestPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.ImmediateAcknowledgeAmqpException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code outage}: what becomes of a message whose failure shows that a service is down.
 * Each circuit here is opened by the second failure.
 */
class OutageTests {

	private static final OutageSettings OUTAGE = new OutageSettings("gateway", Set.of("DOWNSTREAM_TIMEOUT"), 1, 2,
			Duration.ofSeconds(5), Duration.ofSeconds(30), 1, false);

	private static final OutageSettings HALF = new OutageSettings("gateway", Set.of("DOWNSTREAM_TIMEOUT"), 0.5, 2,
			Duration.ofSeconds(5), Duration.ofSeconds(30), 1, false);

	private final ManagedTestListener owned = new ManagedTestListener();

	private Exception failure = new SocketTimeoutException("read");

	@AfterEach
	void close() {
		this.owned.close();
	}

	@Test
	void theFailureThatMakesAnOutageKnownIsPutOffAndNotCounted() {
		start(TestPolicy.order());
		this.owned.deliver();
		this.owned.deliver();
		assertThat(this.owned.told())
			.isEqualTo(Map.of("received", 2, "retried DOWNSTREAM_TIMEOUT", 1, "postponed", 1, "outageBegan", 1));
		assertThat(copy(1)).doesNotContainKeys("x-app-retry-attempt", "x-app-first-failure-at")
			.containsEntry("x-app-origin-exchange", "order.command")
			.containsEntry("x-app-origin-routing-key", "order.create")
			.containsEntry("x-app-origin-queue", "order")
			.hasEntrySatisfying("x-app-retry-not-before",
					(value) -> assertThat(value).hasToString("2026-07-01T12:00:05Z"));
	}

	@Test
	void aRetriedMessageKeepsItsAttemptAndItsAge() {
		start(TestPolicy.order());
		this.owned.deliver();
		this.owned.deliver(cameBack(2));
		assertThat(copy(1)).containsEntry("x-app-retry-attempt", 2)
			.containsEntry("x-app-cumulative-delay", 3000L)
			.hasEntrySatisfying("x-app-first-failure-at",
					(value) -> assertThat(value).hasToString("2026-07-01T11:59:00Z"));
	}

	@Test
	void aMessageThatHasUsedUpItsAttemptsIsNotParkedForAnOutage() {
		start(TestPolicy.order().brokerAttempts(2));
		this.owned.deliver();
		this.owned.deliver(cameBack(2));
		assertThat(this.owned.told()).containsEntry("postponed", 1).doesNotContainKey("parked RETRY_BUDGET_EXHAUSTED");
	}

	@Test
	void aHandledMessageIsAcknowledgedBeforeItsCallMakesAnOutageKnown() {
		AtomicInteger acknowledged = new AtomicInteger();
		this.owned.listener(new DeliveryListener() {

			@Override
			public void outageBegan(Outage outage) {
				acknowledged.set(OutageTests.this.owned.told().getOrDefault("acknowledged", 0));
			}

		});
		this.owned.start(TestPolicy.order().outage(HALF).build(), (message) -> {
			if (this.owned.calls() == 1) {
				throw this.failure;
			}
		});
		this.owned.deliver();
		this.owned.deliver();
		assertThat(this.owned.told()).containsEntry("outageBegan", 1);
		assertThat(acknowledged).hasValue(1);
	}

	@Test
	void theHandlerIsNotCalledAgainAtOnceOnceTheOutageIsKnown() {
		start(TestPolicy.order().localAttempts(3));
		this.owned.deliver();
		assertThat(this.owned.calls()).isEqualTo(3);
		this.owned.deliver();
		assertThat(this.owned.calls()).as("the service is not known to be down before").isEqualTo(6);
		assertThat(this.owned.told()).containsEntry("outageBegan", 1);
	}

	@Test
	void whatThePolicyParksAtOnceIsParkedUntilTheOutageIsKnown() {
		start(TestPolicy.order().parkOn("DOWNSTREAM_TIMEOUT"));
		this.owned.deliver();
		this.owned.deliver();
		assertThat(this.owned.told())
			.isEqualTo(Map.of("received", 2, "parked DOWNSTREAM_TIMEOUT", 2, "outageBegan", 1));
	}

	@Test
	void failuresOfTheMessageSayNothingAboutTheService() {
		this.failure = new IllegalArgumentException("poison");
		start(TestPolicy.order());
		this.owned.deliver();
		this.owned.deliver();
		this.owned.deliver();
		assertThat(this.owned.told()).doesNotContainKeys("outageBegan", "postponed");
	}

	@Test
	void aHandlerThatAsksForTheAcknowledgementHasNotFoundTheServiceDown() {
		start(TestPolicy.order());
		this.owned.deliver();
		Exception timeout = this.failure;
		this.failure = new ImmediateAcknowledgeAmqpException("stale");
		this.owned.deliver();
		this.failure = timeout;
		this.owned.deliver();
		assertThat(this.owned.told())
			.isEqualTo(Map.of("received", 3, "retried DOWNSTREAM_TIMEOUT", 2, "acknowledged", 1));
	}

	@Test
	void withoutOutageEveryFailureCounts() {
		this.owned.start(TestPolicy.order().build(), (message) -> {
			throw this.failure;
		});
		this.owned.deliver();
		this.owned.deliver();
		this.owned.deliver();
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 3, "retried DOWNSTREAM_TIMEOUT", 3));
	}

	private void start(TestPolicy policy) {
		this.owned.start(policy.outage(OUTAGE).build(), (message) -> {
			throw this.failure;
		});
	}

	private Map<String, Object> copy(int index) {
		return this.owned.channel().published().get(index).headers();
	}

	private static Map<String, Object> cameBack(int attempt) {
		return new HashMap<>(
				Map.of("x-app-retry-attempt", attempt, "x-app-retry-delay", 1000L, "x-app-cumulative-delay", 3000L,
						"x-app-first-failure-at", "2026-07-01T11:59:00Z", "x-app-retry-reason", "DOWNSTREAM_TIMEOUT"));
	}

}
