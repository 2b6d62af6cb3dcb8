/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class MemoryAlarmIntegrationTests {

	/** Fewer failing ones than may be unacknowledged, so that successes go on. */
	private static final List<Integer> MESSAGES = ChaosRun.numbers(0, 6_000)
		.stream()
		.filter((number) -> MessageFate.of(number) == MessageFate.SUCCEEDS || number % 20 == 1)
		.toList();

	@Test
	void successesGoOnUnderAMemoryAlarmAndFailuresAreHeld(@TempDir Path folder) throws Exception {
		try (Broker broker = Broker.start()) {
			assumeTrue(broker.canControl(), "a broker that is only named can't be alarmed");
			try (ChaosRun run = new ChaosRun(broker, folder, "chaos.alarm")) {
				run.declare();
				run.publish(MESSAGES);
				// slow enough that the alarm comes while there are failures to come
				try (ConfigurableApplicationContext worker = run.start("--chaos.work-micros=20000",
						"--rabbit-retry.handover.confirm-timeout=6s")) {
					long before = run.evidence().size();
					Awaitility.await().until(() -> run.evidence().size() > before);
					alarmed(broker, run, worker.getBean(ConfirmedPublishers.class));
					run.awaitCalm();
					assertThat(worker.getBean(ConfirmedPublishers.class).pending(ChaosRun.TYPE)).isZero();
				}
				assertThat(run.underWay()).isZero();
				ChaosAccount account = run.account();
				account.assertNothingIsLost();
				assertThat(account.duplicates()).isZero();
			}
		}
	}

	private static void alarmed(Broker broker, ChaosRun run, ConfirmedPublishers publishers) {
		broker.memoryAlarm(true);
		try {
			int handled = run.evidence().counts().size();
			Awaitility.await().until(() -> publishers.pending(ChaosRun.TYPE) > 10);
			long successes = MESSAGES.stream()
				.filter((number) -> MessageFate.of(number) == MessageFate.SUCCEEDS)
				.count();
			Awaitility.await()
				.atMost(Duration.ofMinutes(2))
				.until(() -> run.evidence()
					.counts()
					.keySet()
					.stream()
					.filter((number) -> MessageFate.of(number) == MessageFate.SUCCEEDS)
					.count() == successes);
			assertThat(run.ready(run.topology().queue())).isZero();
			// longer than the confirm timeout
			ChaosRun.pause(Duration.ofSeconds(8));
			run.say("handled %d before the alarm and %d in it; %d held".formatted(handled,
					run.evidence().counts().size() - handled, publishers.pending(ChaosRun.TYPE)));
			assertThat(publishers.pending(ChaosRun.TYPE)).isPositive();
		}
		finally {
			broker.memoryAlarm(false);
		}
	}

}
