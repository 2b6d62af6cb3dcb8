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

class TopologyWatchTests {

	private static final TopologyProblem MISSING = TopologyProblem.missing("queue 'order.dlq'");

	private final AtomicLong time = new AtomicLong(Long.MAX_VALUE - 1);

	private final List<Runnable> tasks = new ArrayList<>();

	private List<TopologyProblem> there = List.of();

	private int looks;

	private final TopologyWatch watch = new TopologyWatch((known) -> {
		this.looks++;
		return this.there;
	}, this.tasks::add, this.time::get);

	@Test
	void nobodyWhoAsksWaitsForTheBroker() {
		this.there = List.of(MISSING);
		assertThat(this.watch.problems()).isEmpty();
		assertThat(this.watch.problems()).isEmpty();
		assertThat(this.tasks).hasSize(1);
		look();
		assertThat(this.watch.problems()).containsExactly(MISSING);
	}

	@Test
	void theBrokerIsAskedOnceInAWhile() {
		askAndLook();
		pass(TopologyWatch.INTERVAL.minusMillis(1));
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
		pass(TopologyWatch.SOONEST);
		askAndLook();
		assertThat(this.watch.problems()).isEmpty();
	}

	@Test
	void whatStaysMissingIsLookedAtLessAndLess() {
		this.there = List.of(MISSING);
		for (int seconds = 0; seconds < 3600; seconds++) {
			askAndLook();
			pass(Duration.ofSeconds(1));
		}
		assertThat(this.looks).isBetween(30, 35);
		assertThat(this.watch.problems()).containsExactly(MISSING);
	}

	@Test
	void whatWasWrongStaysWhileTheBrokerCannotBeAsked() {
		TopologyWatch unlucky = new TopologyWatch((known) -> {
			this.looks++;
			throw new IllegalStateException("the broker is away");
		}, this.tasks::add, this.time::get);
		unlucky.found(List.of(MISSING));
		pass(TopologyWatch.SOONEST);
		unlucky.problems();
		look();
		assertThat(this.looks).isEqualTo(1);
		assertThat(unlucky.problems()).containsExactly(MISSING);
		pass(TopologyWatch.INTERVAL);
		unlucky.problems();
		assertThat(this.tasks).as("asked again").hasSize(1);
	}

	private void askAndLook() {
		this.watch.problems();
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
