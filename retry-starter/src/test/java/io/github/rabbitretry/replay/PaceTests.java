/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.replay;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PaceTests {

	private static final long SECOND = 1_000_000_000L;

	private static int during(Pace pace, long from, long to) {
		int taken = 0;
		for (long now = from; now <= to; now += SECOND / 100) {
			taken += pace.take(now, 100);
		}
		return taken;
	}

	@Test
	void withoutARateAllMayGo() {
		Pace pace = new Pace(null, Duration.ZERO, 0);
		assertThat(pace.take(0, 100)).isEqualTo(100);
		assertThat(pace.untilNext(0)).isZero();
	}

	@Test
	void aRateIsKept() {
		assertThat(during(new Pace(200.0, Duration.ZERO, 0), 0, 10 * SECOND)).isBetween(1_990, 2_000);
	}

	@Test
	void aSlowRateLetsOneGoNowAndThen() {
		Pace pace = new Pace(0.5, Duration.ZERO, 0);
		assertThat(pace.take(SECOND, 100)).isZero();
		assertThat(pace.untilNext(SECOND)).isEqualTo(SECOND);
		assertThat(pace.take(2 * SECOND, 100)).isEqualTo(1);
	}

	@Test
	void aRampBeginsAtATenthAndEndsAtTheRate() {
		Pace pace = new Pace(100.0, Duration.ofSeconds(10), 0);
		assertThat(during(pace, 0, SECOND)).isBetween(12, 16);
		assertThat(during(pace, SECOND, 10 * SECOND)).isBetween(515, 545);
		assertThat(during(pace, 10 * SECOND, 11 * SECOND)).isBetween(98, 101);
		pace.restart(11 * SECOND);
		assertThat(during(pace, 11 * SECOND, 12 * SECOND)).isBetween(12, 16);
	}

	@Test
	void anotherRateHoldsFromNowOn() {
		Pace pace = new Pace(1.0, Duration.ZERO, 0);
		assertThat(during(pace, 0, 10 * SECOND)).isBetween(9, 10);
		pace.change(100.0, Duration.ZERO, 10 * SECOND);
		assertThat(during(pace, 10 * SECOND, 11 * SECOND)).isBetween(98, 101);
		pace.change(100.0, Duration.ZERO, 11 * SECOND);
		assertThat(during(pace, 11 * SECOND, 12 * SECOND)).as("the same rate").isBetween(98, 101);
		pace.change(null, Duration.ZERO, 12 * SECOND);
		assertThat(pace.take(12 * SECOND, 500)).isEqualTo(500);
	}

	@Test
	void noBurstFollowsAStall() {
		Pace pace = new Pace(100.0, Duration.ZERO, 0);
		assertThat(pace.take(60 * SECOND, 100)).isEqualTo(10);
	}

	@Test
	void whatIsNotUsedComesBack() {
		Pace pace = new Pace(100.0, Duration.ZERO, 0);
		assertThat(pace.take(SECOND, 100)).isEqualTo(10);
		pace.unused(10);
		assertThat(pace.take(SECOND, 100)).isEqualTo(10);
	}

}
