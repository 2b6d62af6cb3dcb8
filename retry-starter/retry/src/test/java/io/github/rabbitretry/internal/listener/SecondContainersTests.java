/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.rabbitretry.internal.policy.TestPolicy;
import io.github.rabbitretry.internal.thread.Watchdog;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SecondContainersTests {

	@Test
	void oneWhoseStartFailsIsStartedAgain() {
		SecondQueue queue = new SecondQueue(TestPolicy.order().build(), "order.quarantine", true, false);
		try (ManagedTestListener own = new ManagedTestListener();
				ManagedTestListener second = new ManagedTestListener();
				Watchdog watchdog = new Watchdog()) {
			own.start(TestPolicy.order().build(), (message) -> {
			});
			second.setQueueNames("order.quarantine");
			second.setMessageListener((message) -> {
			});
			second.failsToStart();
			SecondContainers containers = new SecondContainers(watchdog, (container) -> false, (container) -> false,
					(container) -> {
					});
			containers.add(own, second, queue);
			containers.start();
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(second::isActive);
			containers.destroy(Duration.ofSeconds(5));
		}
	}

	@Test
	void oneThatWasStoppedAtAMessageIsStartedWithItsListenerOnly() {
		SecondQueue queue = new SecondQueue(TestPolicy.order().build(), "order.quarantine", true, false);
		AtomicBoolean blocked = new AtomicBoolean();
		try (ManagedTestListener own = new ManagedTestListener();
				ManagedTestListener second = new ManagedTestListener();
				Watchdog watchdog = new Watchdog()) {
			own.start(TestPolicy.order().build(), (message) -> {
			});
			second.setQueueNames("order.quarantine");
			second.setMessageListener((message) -> {
			});
			SecondContainers containers = new SecondContainers(watchdog, (container) -> false,
					(container) -> blocked.get(), (container) -> {
					});
			containers.add(own, second, queue);
			containers.start();
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(second::isActive);
			blocked.set(true);
			second.stop();
			Awaitility.await().during(Duration.ofMillis(500)).until(() -> !second.isRunning());
			own.stop();
			Awaitility.await().pollDelay(Duration.ofMillis(300)).until(() -> !second.isRunning());
			own.start();
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(second::isActive);
			containers.destroy(Duration.ofSeconds(5));
		}
	}

	@Test
	void oneThatStopsWithItsPausedListenerWaitsForItsCopiesFirst() {
		SecondQueue queue = new SecondQueue(TestPolicy.order().build(), "order.quarantine", true, false);
		List<Boolean> active = new CopyOnWriteArrayList<>();
		try (ManagedTestListener own = new ManagedTestListener();
				ManagedTestListener second = new ManagedTestListener();
				Watchdog watchdog = new Watchdog()) {
			own.start(TestPolicy.order().build(), (message) -> {
			});
			second.setQueueNames("order.quarantine");
			second.setMessageListener((message) -> {
			});
			SecondContainers containers = new SecondContainers(watchdog, (container) -> false, (container) -> false,
					(container) -> active.add(container.isActive()));
			containers.add(own, second, queue);
			containers.start();
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(second::isActive);
			own.stop();
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> !second.isRunning());
			assertThat(active).containsExactly(true);
			containers.destroy(Duration.ofSeconds(5));
		}
	}

}
