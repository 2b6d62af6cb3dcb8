/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.container;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.handover.HandoverSettings;
import io.github.rabbitretry.internal.invocation.ContainerSettings;
import io.github.rabbitretry.internal.listener.ManagedTestListener;
import io.github.rabbitretry.internal.outage.Dependencies;
import io.github.rabbitretry.internal.outage.Dependency;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.OutageSettings;
import io.github.rabbitretry.internal.policy.TestPolicy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.AmqpException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Who starts a container again that was paused in an outage.
 */
class PausableContainerTests {

	private static final OutageSettings OUTAGE = new OutageSettings("gateway", Set.of("DOWNSTREAM_TIMEOUT"), 0.5, 4,
			Duration.ofSeconds(5), Duration.ofSeconds(30), 1, false);

	private final ManagedTestListener container = new ManagedTestListener();

	private final Dependencies dependencies;

	private final Dependency dependency;

	private PausableContainer pausable;

	PausableContainerTests() {
		MessagePolicy policy = TestPolicy.order().outage(OUTAGE).build();
		this.dependencies = new Dependencies(new MessagePolicies(List.of(policy)), new DeliveryListener() {
		}, InstantSource.system());
		this.dependency = this.dependencies.of(policy);
	}

	@BeforeEach
	void start() {
		this.container.setPrefetchCount(10);
		this.container.start(TestPolicy.order().build(), (message) -> {
		});
		this.pausable = new PausableContainer(
				new ManagedContainer("listener", this.container, ContainerSettings.of(this.container), Map.of(),
						new ConfirmedPublishers(
								new HandoverSettings(100, Duration.ofSeconds(30), Duration.ofSeconds(5))),
						null, null),
				this.dependency);
		this.dependency.add(this.pausable);
	}

	@AfterEach
	void close() {
		this.dependencies.close();
		this.container.close();
	}

	@Test
	void goesOnAfterTheOutage() {
		this.pausable.pause();
		assertThat(this.container.isRunning()).isFalse();
		assertThat(this.pausable.paused()).isTrue();
		this.pausable.probe();
		assertThat(this.container.isRunning()).isTrue();
		assertThat(prefetch()).isEqualTo(1);
		this.pausable.resume();
		assertThat(this.container.isRunning()).isTrue();
		assertThat(prefetch()).isEqualTo(10);
		assertThat(this.pausable.paused()).isFalse();
	}

	@Test
	void staysStoppedIfTheApplicationStopsItInTheOutage() {
		this.pausable.pause();
		applicationStops();
		this.pausable.probe();
		this.pausable.resume();
		assertThat(this.container.isRunning()).isFalse();
		assertThat(this.pausable.paused()).isFalse();
	}

	@Test
	void staysStoppedIfTheOutageBeginsWhileTheApplicationStopsIt() {
		this.pausable.applicationStops();
		this.pausable.pause();
		assertThat(this.container.isRunning()).as("the application stops it, by its own timeout").isTrue();
		this.container.stop();
		this.pausable.applicationStopped();
		this.pausable.resume();
		assertThat(this.container.isRunning()).isFalse();
	}

	@Test
	void isPausedInALaterOutageIfTheApplicationStartsItAgain() {
		applicationStops();
		this.container.start();
		this.pausable.pause();
		assertThat(this.container.isRunning()).isFalse();
		this.pausable.resume();
		assertThat(this.container.isRunning()).isTrue();
	}

	/** A stop beside it would leave behind what it has just got. */
	@Test
	void isStoppedByTheApplicationOnceItHasStarted() throws Exception {
		CountDownLatch connects = new CountDownLatch(1);
		this.pausable.pause();
		this.container.startsAfter(connects);
		Thread resumes = new Thread(this.pausable::resume);
		resumes.start();
		Awaitility.await().until(() -> resumes.getState() == Thread.State.WAITING);
		this.pausable.applicationStops();
		Thread stops = new Thread(() -> this.pausable.awaitPause(System.nanoTime()));
		stops.start();
		Awaitility.await().until(() -> stops.getState() == Thread.State.TIMED_WAITING);
		connects.countDown();
		stops.join();
		resumes.join();
		assertThat(this.container.isRunning()).as("the application stops it now").isTrue();
	}

	@Test
	void hasItsOwnWidthAgainIfItIsStoppedWhileItMakesProbes() {
		this.pausable.pause();
		this.pausable.probe();
		this.pausable.applicationStops();
		this.pausable.resume();
		this.container.stop();
		this.pausable.applicationStopped();
		Awaitility.await().untilAsserted(() -> assertThat(prefetch()).isEqualTo(10));
		assertThat(this.container.isRunning()).isFalse();
	}

	/** It is stopped a moment after it started, not at once. */
	@Test
	void isNotPausedOnceTheApplicationHasStoppedAndStartedItMeanwhile() throws Exception {
		this.pausable.pause();
		this.pausable.resume();
		Thread pauses = new Thread(this.pausable::pause);
		pauses.start();
		Awaitility.await()
			.pollInterval(Duration.ofMillis(1))
			.until(() -> pauses.getState() == Thread.State.TIMED_WAITING);
		applicationStops();
		this.container.start();
		pauses.join();
		assertThat(this.container.isRunning()).isTrue();
		assertThat(this.pausable.paused()).isFalse();
	}

	/** The broker accepts the connection and does not answer, for instance. */
	@Test
	void isNotStoppedByAStartThatEndsAfterTheApplicationHasStoppedAndStartedIt() throws Exception {
		CountDownLatch connects = new CountDownLatch(1);
		this.pausable.pause();
		this.container.startsAfter(connects);
		Thread probes = new Thread(this.pausable::probe);
		probes.start();
		Awaitility.await().until(() -> probes.getState() == Thread.State.WAITING);
		this.pausable.applicationStops();
		this.pausable.awaitPause(System.nanoTime() - Duration.ofMinutes(1).toNanos());
		this.container.stop();
		this.pausable.applicationStopped();
		this.pausable.applicationStarts();
		this.container.startsAfter(new CountDownLatch(0));
		this.container.start();
		connects.countDown();
		probes.join();
		awaitResumed();
	}

	/** The broker does not answer to the end of a consumer, for instance. */
	@Test
	void goesOnIfItsPauseEndsAfterTheApplicationHasStoppedAndStartedIt() throws Exception {
		CountDownLatch answers = new CountDownLatch(1);
		this.container.stopsAfter(answers);
		Thread pauses = applicationStopsWhileItIsPaused();
		this.pausable.applicationStarts();
		this.container.start();
		answers.countDown();
		pauses.join();
		awaitResumed();
	}

	@Test
	void staysStoppedIfItsPauseEndsAfterTheApplicationHasStoppedIt() throws Exception {
		CountDownLatch answers = new CountDownLatch(1);
		this.container.stopsAfter(answers);
		this.pausable.applicationStarts();
		Thread pauses = applicationStopsWhileItIsPaused();
		answers.countDown();
		pauses.join();
		Awaitility.await().during(Duration.ofSeconds(1)).until(() -> !this.container.isRunning());
		assertThat(this.pausable.paused()).isFalse();
	}

	/** Spring AMQP counts it as running then, and would start it no more. */
	@Test
	void isStartedAgainIfAStartFails() {
		this.pausable.pause();
		this.container.failsToStart();
		assertThatExceptionOfType(AmqpException.class).isThrownBy(this.pausable::probe);
		assertThat(this.pausable.paused()).isTrue();
		this.pausable.probe();
		assertThat(this.container.isActive()).isTrue();
		this.pausable.pause();
		this.container.failsToStart();
		assertThatExceptionOfType(AmqpException.class).isThrownBy(this.pausable::resume);
		this.pausable.resume();
		assertThat(this.container.isActive()).isTrue();
		assertThat(prefetch()).isEqualTo(10);
		assertThat(this.pausable.paused()).isFalse();
	}

	@Test
	void aPauseEndsWhenTheApplicationStopsAndHandlersHaveHadTheirTime() throws Exception {
		CountDownLatch waits = new CountDownLatch(1);
		this.container.whenStopped(() -> {
			waits.countDown();
			LockSupport.parkNanos(Duration.ofMinutes(1).toNanos());
		});
		CompletableFuture<Void> pausing = CompletableFuture.runAsync(this.pausable::pause,
				(task) -> new Thread(task).start());
		waits.await();
		this.pausable.awaitPause(System.nanoTime() - Duration.ofMinutes(1).toNanos());
		assertThat(pausing).succeedsWithin(Duration.ofSeconds(5));
	}

	private Thread applicationStopsWhileItIsPaused() {
		Thread pauses = new Thread(this.pausable::pause);
		pauses.start();
		Awaitility.await().until(() -> !this.container.isActive());
		this.pausable.applicationStops();
		this.pausable.awaitPause(System.nanoTime() - Duration.ofMinutes(1).toNanos());
		this.container.stop();
		this.pausable.applicationStopped();
		return pauses;
	}

	private void applicationStops() {
		this.pausable.applicationStops();
		this.container.stop();
		this.pausable.applicationStopped();
	}

	/** By another thread, step by step. */
	private void awaitResumed() {
		Awaitility.await()
			.untilAsserted(() -> assertThat(List.of(prefetch(), this.container.isRunning(), this.pausable.paused()))
				.isEqualTo(List.of(10, true, false)));
	}

	private int prefetch() {
		return ConsumerWidth.of(this.container).prefetch();
	}

}
