/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.internal.management.ManagementAccess;
import io.github.rabbitretry.it.JavaProcess;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A migration that is killed with SIGKILL at random moments, and applied again.
 */
class MigrationKilledIntegrationTests {

	private static final int KILLS = 4;

	private static final SideBySide<TopologyChange> RUNS = new SideBySide<>(2, List.of(TopologyChange.CLASSIC_TO_QUORUM,
			TopologyChange.OTHER_WORK_QUEUE, TopologyChange.OTHER_NAMES, TopologyChange.FIRST_VERSION),
			MigrationKilledIntegrationTests::killed);

	@TempDir
	static Path folder;

	@ParameterizedTest
	@EnumSource(names = { "CLASSIC_TO_QUORUM", "OTHER_WORK_QUEUE", "OTHER_NAMES", "FIRST_VERSION" })
	void losesNothingAndLeavesOneBatchTwiceAtMost(TopologyChange change) throws Exception {
		RUNS.await(change);
	}

	private static void killed(TopologyChange change) throws Exception {
		long seed = System.nanoTime();
		Random random = new Random(seed);
		try (MigratedOrders orders = new MigratedOrders(change)) {
			orders.fill(5_000);
			CompletableFuture<Integer> killed = CompletableFuture
				.supplyAsync(() -> applyAndKill(orders, change, random));
			orders.sendWhile(() -> !killed.isDone(), 50);
			int kills = killed.get();
			ConfigurableApplicationContext service = orders.start();
			try {
				orders.awaitAll();
			}
			finally {
				MigratedOrders.stop(service);
			}
			// a kill between two bindings leaves both until the next run
			assertThat(orders.duplicates()).as("seed %d, %d kills", seed, kills)
				.isLessThanOrEqualTo(kills * MessageMover.BATCH + orders.sentMeanwhile());
			TopologyMigrationIntegrationTests.isAsConfigured(orders, change);
		}
	}

	private static int applyAndKill(MigratedOrders orders, TopologyChange change, Random random) {
		int kills = 0;
		while (kills < KILLS) {
			JavaProcess process = start(orders, change);
			long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(500 + random.nextInt(6000));
			while (process.alive() && System.nanoTime() - until < 0) {
				LockSupport.parkNanos(1_000_000);
			}
			if (!process.alive()) {
				break;
			}
			process.kill();
			kills++;
		}
		assertThat(start(orders, change).awaitExit()).isZero();
		return kills;
	}

	private static JavaProcess start(MigratedOrders orders, TopologyChange change) {
		ManagementAccess access = MigratedOrders.access();
		return JavaProcess.start(MigrationProcess.class, 200, folder, List.of(Broker.shared().amqpUri().toString(),
				access.url(), access.username(), access.password(), change.name(), orders.virtualHost()));
	}

}
