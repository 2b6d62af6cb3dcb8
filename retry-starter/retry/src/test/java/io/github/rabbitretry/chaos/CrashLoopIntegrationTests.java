/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.github.rabbitretry.broker.Broker;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A message whose handler ends the JVM, among innocent ones in the hands of the same
 * consumers.
 */
class CrashLoopIntegrationTests {

	private static final int MESSAGES = 500;

	private static final int DEADLY = 100;

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void onlyTheMessageThatKillsItsWorkersIsParked(String type, @TempDir Path folder) throws Exception {
		int copies;
		int deaths = 0;
		try (ChaosRun run = new ChaosRun(Broker.shared(), folder, "chaos.crashing." + type)) {
			run.declare();
			// even ones, which are handled at once
			List<Integer> numbers = IntStream.range(0, MESSAGES).map((i) -> 2 * i).boxed().toList();
			run.publish(numbers);
			while (!worked(run, type)) {
				assertThat(++deaths).as("deaths of workers").isLessThan(10);
			}
			run.say("%d deaths of workers".formatted(deaths));
			ChaosAccount account = run.account();
			account.assertNothingIsLost();
			assertThat(account.parked()).containsOnlyKeys(DEADLY);
			copies = account.parked().get(DEADLY).size();
			assertThat(account.parked().get(DEADLY)).containsOnly("DELIVERY_LIMIT");
			assertThat(account.handled()).hasSize(MESSAGES - 1).doesNotContainKey(DEADLY);
		}
		// up to two in the work queue, where one death may count for many, and two in
		// quarantine: for each copy, since the copy in quarantine may kill the process
		// before the original is acknowledged
		assertThat(deaths).as("deaths of workers").isBetween(3, 2 + 2 * copies);
	}

	private static String state(ChaosRun run) {
		return "%d under way, %d parked, %d handled".formatted(run.underWay(), run.ready(run.topology().parkingLot()),
				run.evidence().counts().size());
	}

	/** Works until all is done, or the worker dies. */
	private static boolean worked(ChaosRun run, String type) throws Exception {
		ChaosWorker worker = new ChaosWorker(run, "--chaos.deadly=" + DEADLY, "--chaos.work-micros=1000",
				"--spring.rabbitmq.listener.type=" + type, "--spring.rabbitmq.listener.simple.concurrency=4",
				"--spring.rabbitmq.listener.simple.prefetch=50", "--spring.rabbitmq.listener.direct.prefetch=50",
				"--spring.rabbitmq.listener.direct.consumers-per-queue=4");
		try {
			Awaitility.await().atMost(Duration.ofMinutes(2)).pollInterval(Duration.ofMillis(50)).untilAsserted(() -> {
				if (worker.alive()) {
					// each copy of the deadly one is parked
					assertThat(state(run)).matches("0 under way, [1-9] parked, %d handled".formatted(MESSAGES - 1));
				}
			});
			if (worker.alive()) {
				worker.stop();
				return true;
			}
			return false;
		}
		finally {
			worker.kill();
		}
	}

}
