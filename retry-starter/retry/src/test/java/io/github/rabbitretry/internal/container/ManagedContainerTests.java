/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.container;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
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
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * What a container beside another one does with a delivery while both, or one of them,
 * stop.
 */
class ManagedContainerTests {

	private final ManagedTestListener container = new ManagedTestListener();

	private final ManagedTestListener own = new ManagedTestListener();

	private final RecordingChannel delivered = new RecordingChannel();

	private final DeliveryChannel channel = new DeliveryChannel(this.delivered.channel());

	private ManagedContainer owned;

	@BeforeEach
	void start() {
		for (ManagedTestListener each : new ManagedTestListener[] { this.container, this.own }) {
			each.start(TestPolicy.order().build(), (message) -> {
			});
		}
		this.owned = new ManagedContainer("listener", this.container, ContainerSettings.of(this.container), Map.of(),
				new ConfirmedPublishers(new HandoverSettings(100, Duration.ofSeconds(30), Duration.ofSeconds(5))),
				this.own, null);
	}

	@AfterEach
	void stop() {
		this.container.close();
		this.own.close();
	}

	@Test
	void whatIsHeldWhenBothStopIsHandledWhicheverIsFirst() {
		this.owned.hold();
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
			return this.owned.passGate(this.channel) || !Thread.interrupted();
		});
		this.container.stop();
		assertThat(passing).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(false);
	}

	@Test
	void whatIsHeldWhenBothStopIsGivenBackIfTheBrokerDoesNotCountThat() {
		this.delivered.brokerVersion("4.3.6");
		this.channel.deliversTo("consumer-1");
		this.owned.hold();
		CompletableFuture<Boolean> passing = held();
		this.own.stop();
		this.container.stop();
		assertThat(passing).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(false);
		assertThat(this.delivered.settled()).containsExactly("basic.cancel", "nack all requeue");
		assertThat(new Acknowledgement(this.channel, 1).acknowledge()).isFalse();
	}

	@Test
	void aPauseWaitsLongerForResultsThanAStop() {
		Supplier<Duration> patience = this.owned.patienceWithResults().whileStopping();
		Duration stop = patience.get();
		AtomicReference<Duration> pause = new AtomicReference<>();
		this.container.whenStopped(() -> pause.set(patience.get()));
		this.owned.pause().begin(() -> true);
		assertThat(pause.get()).isGreaterThan(stop);
	}

	@Test
	void aPauseEndsWhenTheApplicationStopsAndHandlersHaveHadTheirTime() {
		CountDownLatch waits = new CountDownLatch(1);
		this.container.whenStopped(() -> {
			waits.countDown();
			LockSupport.parkNanos(Duration.ofMinutes(1).toNanos());
		});
		CompletableFuture<Void> pausing = CompletableFuture.runAsync(() -> this.owned.pause().begin(() -> true),
				(task) -> new Thread(task).start());
		assertThatNoException().isThrownBy(waits::await);
		this.owned.pause().await(System.nanoTime() - Duration.ofMinutes(1).toNanos());
		assertThat(pausing).succeedsWithin(Duration.ofSeconds(5));
	}

	private CompletableFuture<Boolean> held() {
		return held(() -> this.owned.passGate(this.channel));
	}

	private static CompletableFuture<Boolean> held(Supplier<Boolean> pass) {
		CompletableFuture<Boolean> passing = CompletableFuture.supplyAsync(pass, (task) -> new Thread(task).start());
		Awaitility.await().during(Duration.ofMillis(50)).atMost(Duration.ofSeconds(5)).until(() -> !passing.isDone());
		return passing;
	}

}
