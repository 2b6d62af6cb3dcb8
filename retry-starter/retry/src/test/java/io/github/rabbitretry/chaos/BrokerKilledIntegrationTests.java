/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class BrokerKilledIntegrationTests {

	/** More than two consumers handle until the next kill. */
	private static final int READY = 3_000;

	private static final int KILLS = 2;

	/** The prefetch count of two listeners and of the dead letters' consumer. */
	private static final int UNACKNOWLEDGED = 3 * 250;

	@Test
	void nothingConfirmedIsLostWhenTheBrokerIsKilledInTheMiddle(@TempDir Path folder) throws Exception {
		try (Broker broker = Broker.start()) {
			assumeTrue(broker.canControl(), "a broker that is only named can't be killed");
			try (ChaosRun run = new ChaosRun(broker, folder, "chaos.broker")) {
				run.declare();
				run.keepBusy(READY);
				try (ConfigurableApplicationContext worker = run.start("--chaos.work-micros=2000")) {
					Random random = run.random();
					long whenKilled = 0;
					for (int kill = 0; kill < KILLS; kill++) {
						run.keepBusy(READY);
						long before = run.evidence().size();
						Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> run.evidence().size() > before);
						ChaosRun.pause(Duration.ofMillis(500 + random.nextInt(1_000)));
						broker.kill();
						whenKilled = run.evidence().size();
						broker.startAgain();
					}
					assertThat(run.underWay()).as("messages left after the last kill").isPositive();
					ChaosRun.deadLetterAgainAfter(broker, Duration.ofSeconds(5));
					// not since now: on a busy machine all may be handled by now
					long before = whenKilled;
					Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> run.evidence().size() > before);
					run.awaitCalm();
					Awaitility.await()
						.atMost(Duration.ofMinutes(1))
						.until(() -> worker.getBean(ConfirmedPublishers.class).pending(ChaosRun.TYPE) == 0);
					run.awaitCalm();
				}
				assertThat(run.underWay()).isZero();
				ChaosAccount account = run.account();
				account.assertNothingIsLost();
				assertThat(account.duplicates()).isBetween(0, KILLS * UNACKNOWLEDGED);
			}
		}
	}

}
