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
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

class GracefulStopIntegrationTests {

	/** More than two consumers handle until the next stop. */
	private static final int READY = 3_000;

	private static final int STOPS = 5;

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void aStopInTheMiddleOfFailuresNeitherLosesNorDuplicates(String container, @TempDir Path folder) throws Exception {
		try (ChaosRun run = new ChaosRun(Broker.shared(), folder, "chaos.stop." + container)) {
			run.declare();
			Random random = run.random();
			for (int stop = 0; stop < STOPS; stop++) {
				run.keepBusy(READY);
				Duration took = stop(run, container, Duration.ofMillis(200 + random.nextInt(500)));
				assertThat(took).as("a stop waits for nothing in vain").isLessThan(ChaosApplication.SHUTDOWN_TIMEOUT);
			}
			assertThat(run.underWay()).as("messages left after the last stop").isPositive();
			run.say("%d messages left after the last of %d stops".formatted(run.underWay(), STOPS));
			try (ConfigurableApplicationContext worker = start(run, container)) {
				run.awaitCalm();
			}
			assertThat(run.underWay()).isZero();
			ChaosAccount account = run.account();
			account.assertNothingIsLost();
			assertThat(account.duplicates()).isZero();
		}
	}

	private static Duration stop(ChaosRun run, String container, Duration after) throws Exception {
		long before = run.evidence().size();
		long begin;
		try (ConfigurableApplicationContext worker = start(run, container)) {
			Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> run.evidence().size() > before);
			ChaosRun.pause(after);
			begin = System.nanoTime();
		}
		return Duration.ofNanos(System.nanoTime() - begin);
	}

	private static ConfigurableApplicationContext start(ChaosRun run, String container) {
		return run.start("--spring.rabbitmq.listener.type=" + container, "--chaos.work-micros=500");
	}

}
