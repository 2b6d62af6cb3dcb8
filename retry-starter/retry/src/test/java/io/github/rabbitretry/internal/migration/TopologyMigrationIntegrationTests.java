/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.github.rabbitretry.internal.topology.ExchangeModel;
import io.github.rabbitretry.internal.topology.QueueModel;
import io.github.rabbitretry.it.TestBroker;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Migrations on a real broker, with messages in every kind of queue, and a producer that
 * goes on.
 */
class TopologyMigrationIntegrationTests {

	/** Those that a producer publishes between two bindings that follow each other. */
	private static final int MOST_TWICE = 20;

	@Tag("smoke")
	@ParameterizedTest
	@EnumSource(names = { "OTHER_DELAYS", "CLASSIC_TO_QUORUM" })
	void loseNoneOfAFewMessages(TopologyChange change) throws Exception {
		migrate(change, 200);
	}

	@Tag("smoke")
	@Test
	void waitForAnotherOneOfTheSameVirtualHost() throws Exception {
		TopologyChange change = TopologyChange.OTHER_DELAYS;
		try (MigratedOrders orders = new MigratedOrders(change);
				MigratedOrders.CloseableMigration migration = MigratedOrders.migration(change.type());
				TestBroker another = TestBroker.connect()) {
			another.channel().queueDeclare(MigrationLock.QUEUE, false, true, true, Map.of());
			Migration.Applied applied = migration.migration().apply(true, Duration.ofSeconds(5), (number, step) -> {
			});
			assertThat(applied.done()).isZero();
			assertThat(applied.stopped()).contains("Another migration of this virtual host runs");
		}
	}

	@ParameterizedTest
	@EnumSource
	void loseNoneOf10000MessagesAndLeaveNothingBehind(TopologyChange change) throws Exception {
		migrate(change, 10_000);
	}

	private static void migrate(TopologyChange change, int messages) throws Exception {
		try (MigratedOrders orders = new MigratedOrders(change)) {
			ConfigurableApplicationContext service = null;
			try (MigratedOrders.CloseableMigration migration = MigratedOrders.migration(change.type())) {
				if (change.running()) {
					service = orders.start();
				}
				orders.fill(messages);
				assertThat(migration.migration().plan().pauses()).isEqualTo(!change.running());
				CompletableFuture<Migration.Applied> applied = CompletableFuture.supplyAsync(
						() -> migration.migration().apply(!change.running(), Duration.ofSeconds(60), (n, s) -> {
						}));
				orders.sendWhile(() -> !applied.isDone(), 200);
				assertThat(applied.get().stopped()).isNull();
				assertThat(applied.get().left().steps()).isEmpty();
				assertThat(applied.get().left().leftAlone()).isEmpty();
				if (service == null) {
					service = orders.start();
				}
				orders.awaitAll();
				assertThat(orders.duplicates()).isLessThanOrEqualTo(MOST_TWICE);
				assertThat(migration.migration().plan().steps()).isEmpty();
				isAsConfigured(orders, change);
			}
			finally {
				if (service != null) {
					service.close();
				}
			}
		}
	}

	static void isAsConfigured(MigratedOrders orders, TopologyChange change) {
		assertThat(orders.queues())
			.containsExactlyInAnyOrderElementsOf(change.wanted().ownQueues().stream().map(QueueModel::name).toList());
		assertThat(orders.exchanges()).containsExactlyInAnyOrderElementsOf(change.wanted()
			.exchanges()
			.stream()
			.map(ExchangeModel::name)
			.filter((name) -> name.startsWith(TopologyChange.PREFIX))
			.toList());
	}

}
