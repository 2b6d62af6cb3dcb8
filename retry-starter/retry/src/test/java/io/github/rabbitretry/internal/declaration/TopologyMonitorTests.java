/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.github.rabbitretry.internal.broker.TopologyProblem;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TopologyMonitorTests {

	private static final TopologyProblem MISSING = TopologyProblem.missing("queue 'order.dlq'");

	private final AtomicLong time = new AtomicLong(Long.MAX_VALUE - 1);

	private final List<Runnable> tasks = new ArrayList<>();

	private List<TopologyProblem> there = List.of();

	private int looks;

	private final TopologyMonitor monitor = new TopologyMonitor((known) -> {
		this.looks++;
		return this.there;
	}, this.tasks::add, this.time::get);

	@Test
	void nobodyWhoAsksWaitsForTheBroker() {
		this.there = List.of(MISSING);
		assertThat(this.monitor.problems()).isEmpty();
		assertThat(this.monitor.problems()).isEmpty();
		assertThat(this.tasks).hasSize(1);
		look();
		assertThat(this.monitor.problems()).containsExactly(MISSING);
	}

	@Test
	void theBrokerIsAskedOnceInAWhile() {
		askAndLook();
		pass(TopologyMonitor.INTERVAL.minusMillis(1));
		askAndLook();
		assertThat(this.looks).isEqualTo(1);
		pass(Duration.ofMillis(1));
		askAndLook();
		assertThat(this.looks).isEqualTo(2);
	}

	@Test
	void whatIsRepairedIsNoProblemSoonAfter() {
		this.there = List.of(MISSING);
		askAndLook();
		this.there = List.of();
		pass(TopologyMonitor.SOONEST);
		askAndLook();
		assertThat(this.monitor.problems()).isEmpty();
	}

	@Test
	void whatStaysMissingIsLookedAtLessAndLess() {
		this.there = List.of(MISSING);
		for (int seconds = 0; seconds < 3600; seconds++) {
			askAndLook();
			pass(Duration.ofSeconds(1));
		}
		assertThat(this.looks).isBetween(30, 35);
		assertThat(this.monitor.problems()).containsExactly(MISSING);
	}

	@Test
	void whatWasWrongStaysWhileTheBrokerCannotBeAsked() {
		TopologyMonitor unlucky = new TopologyMonitor((known) -> {
			this.looks++;
			throw new IllegalStateException("the broker is away");
		}, this.tasks::add, this.time::get);
		unlucky.found(List.of(MISSING));
		pass(TopologyMonitor.SOONEST);
		unlucky.problems();
		look();
		assertThat(this.looks).isEqualTo(1);
		assertThat(unlucky.problems()).containsExactly(MISSING);
		pass(TopologyMonitor.INTERVAL);
		unlucky.problems();
		assertThat(this.tasks).as("asked again").hasSize(1);
	}

	private void askAndLook() {
		this.monitor.problems();
		look();
	}

	private void look() {
		List<Runnable> due = List.copyOf(this.tasks);
		this.tasks.clear();
		due.forEach(Runnable::run);
	}

	private void pass(Duration duration) {
		this.time.addAndGet(duration.toNanos());
	}

}
