/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.chaos;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

import io.github.rabbitretry.broker.BrokerCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Faults of the broker, the worker and the network in an order that a seed decides. With
 * an odd seed the messages of a key are kept in order.
 */
class ChaosBySeedIntegrationTests {

	private static final ChaosDraw DRAW = ChaosDraw.ofSystemProperties(10);

	/** The prefetch count of two listeners and of the dead letters' consumer. */
	private static final int UNACKNOWLEDGED = 2 * ChaosSite.PREFETCH + 250;

	@Test
	void nothingIsLostWhateverHappens(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder) throws Exception {
		List<Happened> happened = new ArrayList<>();
		ChaosTable table = new ChaosTable(Path.of("target", "chaos-by-seed.tsv").toAbsolutePath());
		try (BrokerCluster cluster = BrokerCluster.start(3);
				ChaosSite site = new ChaosSite(cluster, folder, DRAW.seed())) {
			site.awaitFlow();
			long end = DRAW.end();
			for (ChaosFault fault : DRAW.of(ChaosFault.values(), site.run().random())) {
				if (System.nanoTime() < end) {
					happened
						.add(happen(fault, site, happened.isEmpty() ? 0 : happened.get(happened.size() - 1).parked()));
				}
			}
			site.settle();
			ChaosAccount account = site.run().account();
			List<ChaosTable.Row> rows = rows(happened, account, site);
			table.add(DRAW.seed(), "RabbitMQ " + cluster.anyNode().version(), rows);
			System.out.println(table.print());
			account.assertNothingIsLost();
			for (int i = 0; i < rows.size(); i++) {
				assertThat(rows.get(i).outOfOrder()).as("out of order at fault %d, %s", i, rows.get(i).fault())
					.isZero();
				assertThat(rows.get(i).duplicated()).as("duplicates at fault %d, %s", i, rows.get(i).fault())
					.isBetween(0, happened.get(i).fault().interruptions() * UNACKNOWLEDGED);
			}
		}
	}

	private static Happened happen(ChaosFault fault, ChaosSite site, int parkedBefore) {
		// a queue whose leader is being elected reports no messages
		Happened before = new Happened(fault, site.published(), site.run().evidence().since(0).size(),
				Math.max(parkedBefore, site.parked()), 0);
		site.run().say("%tT %s".formatted(System.currentTimeMillis(), fault));
		// so that the worker has more than it can handle
		site.producer().burst(4 * ChaosSite.PREFETCH);
		site.pause(0);
		Happened after = before.recovered(fault.happen(site));
		site.run().say("%tT flows after %.1f s".formatted(System.currentTimeMillis(), after.seconds()));
		return after;
	}

	private static List<ChaosTable.Row> rows(List<Happened> happened, ChaosAccount account, ChaosSite site) {
		NavigableSet<Integer> confirmed = new TreeSet<>(site.producer().confirmed());
		NavigableSet<Integer> missing = new TreeSet<>(account.missing());
		List<Integer> handled = site.run().evidence().since(0);
		List<Integer> parked = site.run().parkedInOrder();
		ChaosTally tally = new ChaosTally(site.run().ordered() ? site.producer().keys() : Map.of());
		// what came before the first fault
		tally.handled(handled.subList(0, happened.get(0).handled()));
		tally.parked(parked.subList(0, happened.get(0).parked()));
		List<ChaosTable.Row> rows = new ArrayList<>();
		for (int i = 0; i < happened.size(); i++) {
			Happened from = happened.get(i);
			Happened to = (i + 1 < happened.size()) ? happened.get(i + 1)
					: new Happened(from.fault(), Integer.MAX_VALUE, handled.size(), parked.size(), 0);
			int duplicated = tally.duplicated();
			int outOfOrder = tally.outOfOrder();
			tally.handled(handled.subList(from.handled(), to.handled()));
			tally.parked(parked.subList(from.parked(), to.parked()));
			rows.add(new ChaosTable.Row(from.fault().name(), confirmed.subSet(from.published(), to.published()).size(),
					missing.subSet(from.published(), to.published()).size(), tally.duplicated() - duplicated,
					tally.outOfOrder() - outOfOrder, from.seconds()));
		}
		return rows;
	}

	/**
	 * A fault, and what there was when it began.
	 *
	 * @param fault which
	 * @param published the number of the next message
	 * @param handled how many had been handled
	 * @param parked how many had been parked
	 * @param seconds until messages flowed again
	 */
	private record Happened(ChaosFault fault, int published, int handled, int parked, double seconds) {

		private Happened recovered(double after) {
			return new Happened(this.fault, this.published, this.handled, this.parked, after);
		}

	}

}
