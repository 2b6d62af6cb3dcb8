/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.policy;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

import io.github.rabbitretry.internal.topology.DelayLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class DelayPlanTests {

	private static final Duration MAX = Duration.ofMinutes(30);

	private static final Backoff DEFAULT = new Backoff.Exponential(Duration.ofSeconds(5), 6, MAX);

	@Test
	void withoutJitterEachAttemptHasOneLevel() {
		DelayPlan plan = DelayPlan.of(DEFAULT, 5, 0, MAX);
		assertThat(plan.levels()).hasToString("[5s, 30s, 3m, 18m, 30m]");
		assertThat(plan.levels(4)).hasToString("[18m]");
		assertThat(plan.draw(4, new Random(1))).hasToString("18m");
	}

	@Test
	void jitterGivesEachAttemptThreeLevelsOfItsWindow() {
		DelayPlan plan = DelayPlan.of(DEFAULT, 4, 0.2, MAX);
		assertThat(plan.levels(1)).hasToString("[5s, 5500ms, 6s]");
		assertThat(plan.levels(2)).hasToString("[30s, 33s, 36s]");
		assertThat(plan.levels(4)).hasToString("[18m, 1188s, 1296s]");
		assertThat(plan.levels()).hasSize(12).isSorted();
	}

	@Test
	void theWindowIsMovedDownWhereItWouldReachBeyondTheLongestDelay() {
		DelayPlan plan = DelayPlan.of(DEFAULT, 5, 0.2, MAX);
		assertThat(plan.levels(5)).hasToString("[25m, 1650s, 30m]");
	}

	@ParameterizedTest
	@CsvSource({ "0.01", "0.2", "0.5", "1" })
	void noLevelIsBeyondTheLongestDelayAndNoWindowWiderThanAsked(double jitter) {
		Random random = new Random(4711);
		for (int round = 0; round < 300; round++) {
			Duration max = Duration.ofMillis(1 + random.nextInt(1_000_000));
			Duration initial = Duration.ofMillis(1 + random.nextInt((int) max.toMillis()));
			Backoff backoff = new Backoff.Exponential(initial, 1 + 9 * random.nextDouble(), max);
			DelayPlan plan = DelayPlan.of(backoff, 6, jitter, max);
			for (int attempt = 1; attempt <= 6; attempt++) {
				List<DelayLevel> window = plan.levels(attempt);
				Duration shortest = window.get(0).delay();
				Duration longest = window.get(window.size() - 1).delay();
				assertThat(window).isSorted().hasSizeBetween(1, 3);
				assertThat(shortest).isPositive();
				assertThat(longest).isLessThanOrEqualTo(max);
				assertThat((double) longest.toMillis()).isLessThanOrEqualTo(shortest.toMillis() * (1 + jitter) + 2);
				assertThat(backoff.before(attempt)).isGreaterThanOrEqualTo(shortest);
			}
		}
	}

	@Test
	void levelsThatFallTogetherAreOne() {
		DelayPlan plan = DelayPlan.of(new Backoff.Fixed(Duration.ofMillis(1)), 3, 0.2, MAX);
		assertThat(plan.levels()).hasToString("[1ms]");
		assertThat(DelayPlan.of(new Backoff.Fixed(Duration.ofMillis(3)), 1, 0.3, MAX).levels())
			.hasToString("[3ms, 4ms]");
	}

	@Test
	void attemptsThatShareADelayShareItsLevels() {
		DelayPlan plan = DelayPlan.of(DEFAULT, 1000, 0.2, MAX);
		assertThat(plan.levels()).hasSize(15);
		assertThat(plan.levels(6)).isSameAs(plan.levels(1000));
	}

	@Test
	void everyLevelOfAWindowIsDrawnAndNoOther() {
		DelayPlan plan = DelayPlan.of(DEFAULT, 5, 0.2, MAX);
		Random random = new Random(42);
		Set<DelayLevel> drawn = new HashSet<>();
		IntStream.range(0, 1000).forEach((round) -> drawn.add(plan.draw(2, random)));
		assertThat(drawn).containsExactlyInAnyOrderElementsOf(plan.levels(2));
	}

	@Test
	void withoutAttemptsThereAreNoLevels() {
		assertThat(DelayPlan.of(DEFAULT, 0, 0.2, MAX).levels()).isEmpty();
	}

	@Test
	void aLevelHasTheDelayOfItsAttemptEvenBeyondThoseMade() {
		DelayPlan plan = DelayPlan.of(DEFAULT, 2, 0.2, MAX);
		assertThat(plan.delayOf(1)).isEqualTo(Duration.ofSeconds(5));
		assertThat(plan.delayOf(3)).isEqualTo(Duration.ofMinutes(3));
		assertThat(plan.delayOf(99)).isEqualTo(MAX);
	}

}
