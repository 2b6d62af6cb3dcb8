/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StopDeadlineTests {

	private static final Duration SHORT = Duration.ofMillis(1);

	@Test
	void eachStopOfAContainerHasItsOwnTime() {
		StopDeadline deadline = new StopDeadline(SHORT);
		long first = deadline.ofHandover();
		awaitPast(first);
		assertThat(deadline.ofHandover()).isGreaterThan(first);
	}

	@Test
	void allThatStopsWithTheApplicationSharesItsTime() {
		StopDeadline deadline = new StopDeadline(Duration.ofMinutes(1));
		deadline.begin();
		long first = deadline.ofHandover();
		assertThat(deadline.ofHandover()).isEqualTo(first);
		assertThat(deadline.ofConnections()).isGreaterThan(first);
	}

	@Test
	void whatHasJustBegunHasAMomentAlthoughTheTimeIsOver() {
		StopDeadline deadline = new StopDeadline(SHORT);
		deadline.begin();
		awaitPast(deadline.ofConnections());
		long now = System.nanoTime();
		assertThat(deadline.ofHandover()).isGreaterThan(now);
		assertThat(deadline.ofBatches(Duration.ofSeconds(1))).isPositive();
	}

	private static void awaitPast(long instant) {
		while (System.nanoTime() <= instant) {
			Thread.onSpinWait();
		}
	}

}
