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

	private static final int MESSAGES = 6_000;

	private static final int STOPS = 5;

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void aStopInTheMiddleOfFailuresNeitherLosesNorDuplicates(String container, @TempDir Path folder) throws Exception {
		try (ChaosRun run = new ChaosRun(Broker.shared(), folder, "chaos.stop." + container)) {
			run.declare();
			run.publish(ChaosRun.numbers(0, MESSAGES));
			Random random = run.random();
			for (int stop = 0; stop < STOPS; stop++) {
				long before = run.evidence().size();
				try (ConfigurableApplicationContext worker = start(run, container)) {
					Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> run.evidence().size() > before);
					ChaosRun.pause(Duration.ofMillis(200 + random.nextInt(500)));
				}
			}
			assertThat(run.underWay()).as("messages left after the last stop").isPositive();
			run.say("%d messages left after the last of %d stops".formatted(run.underWay(), STOPS));
			try (ConfigurableApplicationContext worker = start(run, container)) {
				run.awaitCalm();
			}
			assertThat(run.underWay()).isZero();
			Account account = run.account();
			account.assertNothingIsLost();
			assertThat(account.duplicates()).isZero();
		}
	}

	private static ConfigurableApplicationContext start(ChaosRun run, String container) {
		return run.start("--spring.rabbitmq.listener.type=" + container, "--chaos.work-micros=500");
	}

}
