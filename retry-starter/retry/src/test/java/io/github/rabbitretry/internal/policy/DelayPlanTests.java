/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.policy;

import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class DelayPlanTests {

	private static final Duration MAX = Duration.ofMinutes(30);

	private static final Backoff DEFAULT = Backoff.exponential(Duration.ofSeconds(5), 6, MAX);

	@Test
	void withoutJitterEachAttemptHasOneLevel() {
		DelayPlan plan = DelayPlan.of(DEFAULT, 5, 0, MAX);
		assertThat(plan.levels()).hasToString("[5s, 30s, 3m, 18m, 30m]");
		assertThat(plan.level(4)).hasToString("18m");
		assertThat(plan.draw(4, new Random(1))).isEqualTo(Duration.ofMinutes(18));
		assertThat(plan.jittered()).isFalse();
	}

	@Test
	void jitterNeedsNoLevelsOfItsOwn() {
		DelayPlan plan = DelayPlan.of(DEFAULT, 4, 0.2, MAX);
		assertThat(plan.bounds(1)).hasToString("[5s, 6s]");
		assertThat(plan.bounds(2)).hasToString("[30s, 36s]");
		// 216 s, as much of it as two waits make: 128 s and 64 s
		assertThat(plan.bounds(4)).hasToString("[18m, 1272s]");
		assertThat(plan.levels()).hasToString("[5s, 30s, 3m, 18m]");
		assertThat(plan.jittered()).isTrue();
	}

	@Test
	void aWindowShorterThanTheShortestWaitIsNone() {
		DelayPlan plan = DelayPlan.of(Backoff.fixed(Duration.ofSeconds(1)), 3, 0.24, MAX);
		assertThat(plan.bounds(1)).hasToString("[1s]");
		assertThat(plan.jittered()).isFalse();
		assertThat(DelayPlan.of(Backoff.fixed(Duration.ofSeconds(1)), 3, 0.25, MAX).bounds(1))
			.hasToString("[1s, 1250ms]");
	}

	@Test
	void theWindowIsMovedDownWhereItWouldReachBeyondTheLongestDelay() {
		DelayPlan plan = DelayPlan.of(DEFAULT, 5, 0.2, MAX);
		// 300 s, as much of it as two waits make: 256 s and 32 s
		assertThat(plan.bounds(5)).hasToString("[25m, 1788s]");
	}

	@ParameterizedTest
	@CsvSource({ "0.01", "0.2", "0.5", "1" })
	void noLevelIsBeyondTheLongestDelayAndNoWindowWiderThanAsked(double jitter) {
		Random random = new Random(4711);
		for (int round = 0; round < 300; round++) {
			Duration max = Duration.ofMillis(1 + random.nextInt(1_000_000));
			Duration initial = Duration.ofMillis(1 + random.nextInt((int) max.toMillis()));
			Backoff backoff = Backoff.exponential(initial, 1 + 9 * random.nextDouble(), max);
			DelayPlan plan = DelayPlan.of(backoff, 6, jitter, max);
			for (int attempt = 1; attempt <= 6; attempt++) {
				Duration shortest = plan.level(attempt).delay();
				Duration longest = plan.longest(attempt);
				assertThat(shortest).isPositive();
				assertThat(longest).isLessThanOrEqualTo(max);
				assertThat((double) longest.toMillis()).isLessThanOrEqualTo(shortest.toMillis() * (1 + jitter) + 2);
				assertThat(backoff.before(attempt)).isGreaterThanOrEqualTo(shortest);
			}
		}
	}

	@Test
	void attemptsThatShareADelayShareItsLevel() {
		DelayPlan plan = DelayPlan.of(DEFAULT, 1000, 0.2, MAX);
		assertThat(plan.levels()).hasToString("[5s, 30s, 3m, 18m, 25m]");
		assertThat(plan.longest(6)).isEqualTo(plan.longest(1000));
	}

	@Test
	void drawsFromTheWholeWindowAndNothingElse() {
		DelayPlan plan = DelayPlan.of(DEFAULT, 5, 0.2, MAX);
		Random random = new Random(42);
		Set<Duration> drawn = new TreeSet<>();
		IntStream.range(0, 1000).forEach((round) -> drawn.add(plan.draw(2, random)));
		assertThat(drawn).hasSizeGreaterThan(10)
			.contains(Duration.ofSeconds(30), Duration.ofSeconds(36))
			.allSatisfy((delay) -> assertThat(delay).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(36)));
	}

	@Test
	void theLongestDelayIsTheLongestAllowedUnlessAnAttemptHasALongerOne() {
		assertThat(DelayPlan.of(DEFAULT, 3, 0, MAX).longest()).isEqualTo(MAX);
		Backoff twoHours = Backoff.fixed(Duration.ofHours(2));
		assertThat(DelayPlan.of(twoHours, 3, 0, MAX).longest()).isEqualTo(Duration.ofHours(2));
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
