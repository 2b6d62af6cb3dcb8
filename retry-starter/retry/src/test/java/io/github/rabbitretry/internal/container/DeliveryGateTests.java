/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.container;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import io.github.rabbitretry.internal.acknowledgement.Acknowledgement;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.acknowledgement.DeliveryChannel;
import io.github.rabbitretry.internal.handover.HandoverSettings;
import io.github.rabbitretry.internal.invocation.ContainerSettings;
import io.github.rabbitretry.internal.listener.ManagedTestListener;
import io.github.rabbitretry.internal.listener.RecordingChannel;
import io.github.rabbitretry.internal.policy.TestPolicy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a container beside another one does with a delivery while both, or one of them,
 * stop.
 */
class DeliveryGateTests {

	private final ManagedTestListener container = new ManagedTestListener();

	private final ManagedTestListener own = new ManagedTestListener();

	private final RecordingChannel delivered = new RecordingChannel();

	private final DeliveryChannel channel = new DeliveryChannel(this.delivered.channel());

	private ManagedContainer managed;

	private DeliveryGate gate;

	@BeforeEach
	void start() {
		for (ManagedTestListener each : new ManagedTestListener[] { this.container, this.own }) {
			each.start(TestPolicy.order().build(), (message) -> {
			});
		}
		this.managed = new ManagedContainer("listener", this.container, ContainerSettings.of(this.container), Map.of(),
				new ConfirmedPublishers(new HandoverSettings(100, Duration.ofSeconds(30), Duration.ofSeconds(5))),
				this.own, null);
		this.gate = this.managed.gate();
	}

	@AfterEach
	void stop() {
		this.container.close();
		this.own.close();
	}

	@Test
	void whatIsHeldWhenBothStopIsHandledWhicheverIsFirst() {
		this.gate.hold(true);
		CompletableFuture<Boolean> passing = held();
		this.own.stop();
		this.container.stop();
		assertThat(passing).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(true);
	}

	@Test
	void whatComesAfterTheOtherWasStoppedIsLeftToTheStop() {
		this.own.stop();
		CompletableFuture<Boolean> passing = held();
		this.container.stop();
		assertThat(passing).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(false);
	}

	@Test
	void anInterruptedThreadIsHeldTooWhileTheOtherIsStopped() {
		this.own.stop();
		CompletableFuture<Boolean> passing = held(() -> {
			Thread.currentThread().interrupt();
			return this.gate.pass(this.channel) || !Thread.interrupted();
		});
		this.container.stop();
		assertThat(passing).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(false);
	}

	@Test
	void whatIsHeldWhenBothStopIsGivenBackIfTheBrokerDoesNotCountThat() {
		this.delivered.brokerVersion("4.3.6");
		this.channel.deliversTo("consumer-1");
		this.gate.hold(true);
		CompletableFuture<Boolean> passing = held();
		this.own.stop();
		this.container.stop();
		assertThat(passing).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(false);
		assertThat(this.delivered.settled()).containsExactly("basic.cancel", "nack all requeue");
		assertThat(new Acknowledgement(this.channel, 1).acknowledge()).isFalse();
	}

	@Test
	void aPauseWaitsLongerForResultsThanAStop() {
		Supplier<Duration> patience = this.managed.patienceWithResults().whileStopping();
		Duration stop = patience.get();
		AtomicReference<Duration> pause = new AtomicReference<>();
		this.container.whenStopped(() -> pause.set(patience.get()));
		this.gate.pause(() -> true);
		assertThat(pause.get()).isGreaterThan(stop);
	}

	@Test
	void whatIsHeldPassesOnceNothingIsStoppedAnyMore() {
		this.gate.hold(true);
		CompletableFuture<Boolean> passing = held();
		this.gate.hold(false);
		assertThat(passing).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(true);
	}

	@Test
	void aDeliveryThatTheBrokerHasAgainIsNotHeld() {
		this.gate.hold(true);
		CompletableFuture<Boolean> passing = held();
		this.channel.giveBackAll();
		assertThat(passing).as("nor handled").succeedsWithin(Duration.ofSeconds(5)).isEqualTo(false);
	}

	@Test
	void anInterruptedThreadIsHeldToo() {
		this.gate.hold(true);
		CompletableFuture<Boolean> passing = held(() -> {
			Thread.currentThread().interrupt();
			return this.gate.pass(this.channel) && Thread.interrupted();
		});
		this.gate.hold(false);
		assertThat(passing).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(true);
	}

	@Test
	void aThreadOfAStoppingContainerWaitsForItsConfirms() {
		Acknowledgement delivery = new Acknowledgement(this.channel, 1);
		delivery.begin();
		this.container.stop();
		CompletableFuture<Boolean> leaving = held(() -> {
			this.gate.leave(this.channel);
			return delivery.settled();
		});
		delivery.acknowledge();
		assertThat(leaving).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(true);
	}

	@Test
	void aThreadThatAHandlerLeftInterruptedWaitsForItsConfirmsToo() {
		this.delivered.brokerVersion("4.3.6");
		this.channel.deliversTo("consumer-1");
		Acknowledgement delivery = new Acknowledgement(this.channel, 1);
		delivery.begin();
		this.container.stop();
		CompletableFuture<Boolean> leaving = held(() -> {
			Thread.currentThread().interrupt();
			this.gate.leave(this.channel);
			return Thread.interrupted();
		});
		assertThat(delivery.acknowledge()).isTrue();
		assertThat(leaving).as("and is interrupted afterwards").succeedsWithin(Duration.ofSeconds(5)).isEqualTo(true);
		assertThat(this.delivered.settled()).containsExactly("ack", "basic.cancel", "nack all requeue");
	}

	@Test
	void aThreadWaitsForNoConfirmWhileItsContainerRuns() {
		new Acknowledgement(this.channel, 1).begin();
		assertThat(CompletableFuture.runAsync(() -> this.gate.leave(this.channel)))
			.succeedsWithin(Duration.ofSeconds(5));
	}

	private CompletableFuture<Boolean> held() {
		return held(() -> this.gate.pass(this.channel));
	}

	private static CompletableFuture<Boolean> held(Supplier<Boolean> pass) {
		CompletableFuture<Boolean> passing = CompletableFuture.supplyAsync(pass, (task) -> new Thread(task).start());
		Awaitility.await().during(Duration.ofMillis(50)).atMost(Duration.ofSeconds(5)).until(() -> !passing.isDone());
		return passing;
	}

}
