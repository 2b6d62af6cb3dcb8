/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ReplayRateLimiterTests {

	private static final long SECOND = 1_000_000_000L;

	private static int during(ReplayRateLimiter rateLimiter, long from, long to) {
		int taken = 0;
		for (long now = from; now <= to; now += SECOND / 100) {
			taken += rateLimiter.take(now, 100);
		}
		return taken;
	}

	@Test
	void withoutARateAllMayGo() {
		ReplayRateLimiter rateLimiter = new ReplayRateLimiter(null, Duration.ZERO, 0);
		assertThat(rateLimiter.take(0, 100)).isEqualTo(100);
		assertThat(rateLimiter.untilNext(0)).isZero();
	}

	@Test
	void aRateIsKept() {
		assertThat(during(new ReplayRateLimiter(200.0, Duration.ZERO, 0), 0, 10 * SECOND)).isBetween(1_990, 2_000);
	}

	@Test
	void aSlowRateLetsOneGoNowAndThen() {
		ReplayRateLimiter rateLimiter = new ReplayRateLimiter(0.5, Duration.ZERO, 0);
		assertThat(rateLimiter.take(SECOND, 100)).isZero();
		assertThat(rateLimiter.untilNext(SECOND)).isEqualTo(SECOND);
		assertThat(rateLimiter.take(2 * SECOND, 100)).isEqualTo(1);
	}

	@Test
	void aRampBeginsAtATenthAndEndsAtTheRate() {
		ReplayRateLimiter rateLimiter = new ReplayRateLimiter(100.0, Duration.ofSeconds(10), 0);
		assertThat(during(rateLimiter, 0, SECOND)).isBetween(12, 16);
		assertThat(during(rateLimiter, SECOND, 10 * SECOND)).isBetween(515, 545);
		assertThat(during(rateLimiter, 10 * SECOND, 11 * SECOND)).isBetween(98, 101);
		rateLimiter.restart(11 * SECOND);
		assertThat(during(rateLimiter, 11 * SECOND, 12 * SECOND)).isBetween(12, 16);
	}

	@Test
	void anotherRateHoldsFromNowOn() {
		ReplayRateLimiter rateLimiter = new ReplayRateLimiter(1.0, Duration.ZERO, 0);
		assertThat(during(rateLimiter, 0, 10 * SECOND)).isBetween(9, 10);
		rateLimiter.change(100.0, Duration.ZERO, 10 * SECOND);
		assertThat(during(rateLimiter, 10 * SECOND, 11 * SECOND)).isBetween(98, 101);
		rateLimiter.change(100.0, Duration.ZERO, 11 * SECOND);
		assertThat(during(rateLimiter, 11 * SECOND, 12 * SECOND)).as("the same rate").isBetween(98, 101);
		rateLimiter.change(null, Duration.ZERO, 12 * SECOND);
		assertThat(rateLimiter.take(12 * SECOND, 500)).isEqualTo(500);
	}

	@Test
	void noBurstFollowsAStall() {
		ReplayRateLimiter rateLimiter = new ReplayRateLimiter(100.0, Duration.ZERO, 0);
		assertThat(rateLimiter.take(60 * SECOND, 100)).isEqualTo(10);
	}

	@Test
	void whatIsNotUsedComesBack() {
		ReplayRateLimiter rateLimiter = new ReplayRateLimiter(100.0, Duration.ZERO, 0);
		assertThat(rateLimiter.take(SECOND, 100)).isEqualTo(10);
		rateLimiter.unused(10);
		assertThat(rateLimiter.take(SECOND, 100)).isEqualTo(10);
	}

}
