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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class WorkerKilledIntegrationTests {

	/** The prefetch count of two listeners and of the dead letters' consumer. */
	private static final int UNACKNOWLEDGED = 3 * 250;

	@Test
	void nothingIsLostWhenTheWorkerIsKilledTwentyTimesAtRandom(@TempDir Path folder) throws Exception {
		killed(20, 20_000, folder);
	}

	@Test
	@Tag("smoke")
	void nothingIsLostWhenTheWorkerIsKilledOnce(@TempDir Path folder) throws Exception {
		killed(1, 4_000, folder);
	}

	private static void killed(int kills, int messages, Path folder) throws Exception {
		try (ChaosRun run = new ChaosRun(Broker.shared(), folder, "chaos.killed")) {
			run.declare();
			run.publish(ChaosRun.numbers(0, messages));
			Random random = run.random();
			for (int kill = 0; kill < kills; kill++) {
				ChaosWorker worker = new ChaosWorker(run, "--chaos.work-micros=1000");
				try {
					worker.awaitWork();
					ChaosRun.pause(Duration.ofMillis(200 + random.nextInt(1_200)));
				}
				finally {
					worker.kill();
				}
			}
			assertThat(run.underWay()).as("messages left after the last kill").isPositive();
			run.say("%d of %d messages under way after the last kill".formatted(run.underWay(), messages));
			ChaosWorker last = new ChaosWorker(run);
			try {
				last.awaitWork();
				run.awaitCalm();
				last.stop();
			}
			finally {
				last.kill();
			}
			assertThat(run.underWay()).isZero();
			ChaosAccount account = run.account();
			account.assertNothingIsLost();
			// a kill leaves at most the unacknowledged deliveries half done; each of them
			// comes again, and makes at most one end more
			assertThat(account.duplicates()).isBetween(0, kills * UNACKNOWLEDGED);
		}
	}

}
