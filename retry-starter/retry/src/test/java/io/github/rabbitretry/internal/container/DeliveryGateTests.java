/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.container;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.rabbitretry.internal.acknowledgement.DeliveryChannel;
import io.github.rabbitretry.internal.listener.ManagedTestListener;
import io.github.rabbitretry.internal.listener.RecordingChannel;
import io.github.rabbitretry.internal.policy.TestPolicy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DeliveryGateTests {

	private final ManagedTestListener container = new ManagedTestListener();

	private final DeliveryGate gate = new DeliveryGate();

	private final RecordingChannel delivered = new RecordingChannel();

	private final DeliveryChannel channel = new DeliveryChannel(this.delivered.channel());

	@BeforeEach
	void start() {
		this.container.start(TestPolicy.order().build(), (message) -> {
		});
	}

	@AfterEach
	void stop() {
		this.container.close();
	}

	@Test
	void anOpenGateHoldsNobody() {
		this.gate.pass(this.container, this.channel);
	}

	@Test
	void aClosedGateHoldsUntilItIsOpened() {
		this.gate.close();
		CompletableFuture<Void> passing = held();
		this.gate.open();
		assertThat(passing).succeedsWithin(Duration.ofSeconds(5));
	}

	@Test
	void aClosedGateLetsThroughOnceTheContainerIsInactive() {
		this.gate.close();
		CompletableFuture<Void> passing = held();
		this.container.stop();
		assertThat(passing).succeedsWithin(Duration.ofSeconds(5));
	}

	@Test
	void aClosedGateDoesNotHoldAnInterruptedThread() {
		this.gate.close();
		assertThat(CompletableFuture.runAsync(() -> {
			Thread.currentThread().interrupt();
			this.gate.pass(this.container, this.channel);
		}, (task) -> new Thread(task).start())).succeedsWithin(Duration.ofSeconds(5));
	}

	@Test
	void aClosedGateDoesNotHoldADeliveryThatTheBrokerHasAgain() {
		this.gate.close();
		CompletableFuture<Void> passing = held();
		this.channel.giveBackAll();
		assertThat(passing).succeedsWithin(Duration.ofSeconds(5));
	}

	private CompletableFuture<Void> held() {
		CompletableFuture<Void> passing = CompletableFuture.runAsync(() -> this.gate.pass(this.container, this.channel),
				(task) -> new Thread(task).start());
		Awaitility.await().during(Duration.ofMillis(50)).atMost(Duration.ofSeconds(5)).until(() -> !passing.isDone());
		return passing;
	}

}
