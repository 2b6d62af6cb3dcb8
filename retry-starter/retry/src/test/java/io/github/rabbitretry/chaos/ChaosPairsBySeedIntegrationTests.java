/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.chaos;

import java.nio.file.Path;

import io.github.rabbitretry.broker.BrokerCluster;
import io.github.rabbitretry.chaos.ChaosFault.ChaosPair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Pairs of faults that meet, such as a lost permission and a lost connection. Which pairs
 * a seed decides, as it does the order in which they are repaired.
 */
class ChaosPairsBySeedIntegrationTests {

	private static final ChaosDraw DRAW = ChaosDraw.ofSystemProperties(4);

	/** Ten seconds, and as many for a busy machine. */
	private static final double REPAIRED = 20;

	/** A node or a worker has to start first, and to elect leaders or to connect. */
	private static final double STARTED = 60;

	/** The prefetch count of two listeners and of the dead letters' consumer. */
	private static final int UNACKNOWLEDGED = 2 * ChaosSite.PREFETCH + 250;

	@Test
	void messagesFlowSoonAfterTwoFaultsThatMetAreRepairedAndNoneIsLost(
			@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder) throws Exception {
		try (BrokerCluster cluster = BrokerCluster.start(3);
				ChaosSite site = new ChaosSite(cluster, folder, DRAW.seed())) {
			site.awaitFlow();
			int pairs = 0;
			long end = DRAW.end();
			for (ChaosPair pair : DRAW.of(ChaosFault.pairs(), site.run().random())) {
				if (System.nanoTime() < end) {
					pairs++;
					site.run().say("%tT %s".formatted(System.currentTimeMillis(), pair));
					site.producer().burst(2 * ChaosSite.PREFETCH);
					double seconds = pair.first().meet(pair.second(), site);
					site.run().say("%tT flows after %.1f s".formatted(System.currentTimeMillis(), seconds));
					boolean starts = pair.first().startsProcess() || pair.second().startsProcess();
					assertThat(seconds).as("%s", pair).isLessThan(starts ? STARTED : REPAIRED);
				}
			}
			site.settle();
			ChaosAccount account = site.run().account();
			account.assertNothingIsLost();
			assertThat(account.duplicates()).isBetween(0, 2 * pairs * UNACKNOWLEDGED);
		}
	}

}
