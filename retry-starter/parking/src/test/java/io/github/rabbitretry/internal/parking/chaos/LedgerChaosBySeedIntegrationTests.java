/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.chaos;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.chaos.ChaosDraw;
import io.github.rabbitretry.chaos.ChaosTable;
import io.github.rabbitretry.chaos.ChaosTally;
import io.github.rabbitretry.database.Database;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Faults of the ledger's database in an order that a seed decides.
 */
class LedgerChaosBySeedIntegrationTests {

	private static final ChaosDraw DRAW = ChaosDraw.ofSystemProperties(8);

	/** More than is replayed until the fault begins. */
	private static final int BURST = 400;

	@Test
	void nothingIsLostWhateverHappensToTheDatabase(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder)
			throws Exception {
		try (Database database = Database.start()) {
			assumeTrue(database.canControl(), database::description);
			try (Database standby = database.standby();
					LedgerSite site = new LedgerSite(new LedgerDatabase(database, standby), folder, DRAW.seed())) {
				site.awaitFlow();
				nothingIsLost(site, happen(site));
			}
		}
	}

	private static List<Happened> happen(LedgerSite site) {
		List<Happened> happened = new ArrayList<>();
		long end = DRAW.end();
		for (DatabaseFault fault : DRAW.of(DatabaseFault.values(), site.random())) {
			if (System.nanoTime() < end) {
				int confirmed = site.producer().confirmed();
				int arrived = site.arrived().size();
				System.out.printf("chaos.ledger: %tT %s%n", System.currentTimeMillis(), fault);
				site.producer().burst(BURST);
				site.pause(0);
				double seconds = fault.happen(site);
				System.out.printf("chaos.ledger: %tT flows after %.1f s%n", System.currentTimeMillis(), seconds);
				happened.add(new Happened(fault, confirmed, arrived, seconds));
			}
		}
		return happened;
	}

	private static void nothingIsLost(LedgerSite site, List<Happened> happened) throws Exception {
		site.settle();
		NavigableSet<Integer> missing = new TreeSet<>(site.missing());
		List<ChaosTable.Row> rows = rows(happened, site, missing);
		ChaosTable table = new ChaosTable(Path.of("target", "ledger-chaos-by-seed.tsv").toAbsolutePath());
		table.add(DRAW.seed(), "RabbitMQ %s, PostgreSQL %s".formatted(Broker.shared().version(),
				site.database().sql("show server_version").query().singleValue()), rows);
		System.out.println(table.print());
		assertThat(missing).isEmpty();
		assertThat(site.storedAgain()).as("rows of messages that have one").isZero();
		for (int i = 0; i < rows.size(); i++) {
			assertThat(rows.get(i).duplicated()).as("duplicates at fault %d, %s", i, rows.get(i).fault())
				.isBetween(0, happened.get(i).fault().interruptions() * LedgerApplication.IN_FLIGHT);
		}
	}

	private static List<ChaosTable.Row> rows(List<Happened> happened, LedgerSite site, NavigableSet<Integer> missing) {
		int confirmed = site.producer().confirmed();
		List<Integer> arrived = site.arrived();
		// in the order in which they were parked, as one key
		ChaosTally tally = new ChaosTally(IntStream.rangeClosed(1, confirmed)
			.boxed()
			.collect(Collectors.toMap(Function.identity(), (number) -> "all")));
		tally.handled(arrived.subList(0, happened.get(0).arrived()));
		List<ChaosTable.Row> rows = new ArrayList<>();
		for (int i = 0; i < happened.size(); i++) {
			Happened from = happened.get(i);
			Happened to = (i + 1 < happened.size()) ? happened.get(i + 1)
					: new Happened(from.fault(), confirmed, arrived.size(), 0);
			int duplicated = tally.duplicated();
			int outOfOrder = tally.outOfOrder();
			tally.handled(arrived.subList(from.arrived(), to.arrived()));
			rows.add(new ChaosTable.Row(from.fault().name(), to.confirmed() - from.confirmed(),
					missing.subSet(from.confirmed(), false, to.confirmed(), true).size(),
					tally.duplicated() - duplicated, tally.outOfOrder() - outOfOrder, from.seconds()));
		}
		return rows;
	}

	/**
	 * A fault, and what there was when it began.
	 *
	 * @param fault which
	 * @param confirmed the number of the last message
	 * @param arrived how many had arrived
	 * @param seconds until messages flowed again
	 */
	private record Happened(DatabaseFault fault, int confirmed, int arrived, double seconds) {
	}

}
