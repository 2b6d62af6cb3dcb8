/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.time.Duration;

import io.github.rabbitretry.internal.policy.TestPolicy;
import io.github.rabbitretry.internal.thread.Watchdog;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class SecondContainersTests {

	/** Spring AMQP counts it as running then, and would start it no more. */
	@Test
	void oneWhoseStartFailsIsStartedAgain() {
		try (ManagedTestListener own = new ManagedTestListener();
				ManagedTestListener quarantine = new ManagedTestListener();
				Watchdog watchdog = new Watchdog()) {
			own.start(TestPolicy.order().build(), (message) -> {
			});
			quarantine.setQueueNames("order.quarantine");
			quarantine.setMessageListener((message) -> {
			});
			quarantine.failsToStart();
			SecondContainers containers = new SecondContainers(watchdog, (type) -> false);
			containers.add(own, quarantine,
					new SecondQueue(TestPolicy.order().build(), "order.quarantine", true, false));
			containers.release();
			Awaitility.await().until(quarantine::isActive);
			containers.destroy(Duration.ofSeconds(5));
		}
	}

}
