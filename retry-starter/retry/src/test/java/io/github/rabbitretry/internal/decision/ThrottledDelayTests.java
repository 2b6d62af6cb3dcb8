/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.decision;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.policy.Backoff;
import io.github.rabbitretry.internal.policy.BusinessHours;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.RetryRatio;
import io.github.rabbitretry.internal.policy.TestPolicy;
import io.github.rabbitretry.topology.Usage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ThrottledDelayTests {

	private static final Instant FIRST = Instant.parse("2026-07-01T12:00:00Z");

	@Test
	void aMessageThatWouldBeTooOldWhenTheCalendarOpensIsParked() {
		RetryRatio ratio = new RetryRatio(0.1, Duration.ofSeconds(11), 1);
		BusinessHours nights = new BusinessHours(EnumSet.allOf(DayOfWeek.class), LocalTime.of(20, 0),
				LocalTime.of(22, 0), ZoneOffset.UTC, Set.of());
		TestPolicy policy = TestPolicy.order().backoff(Backoff.fixed(Duration.ofSeconds(5))).hours(nights).ratio(ratio);
		DeliveryHistory history = new DeliveryHistory(1, FIRST, null, Duration.ofSeconds(5), 1, Usage.NONE, null,
				List.of());
		FailureClassification last = FailureClassification.of(FailureClass.TRANSIENT, "DOWNSTREAM_TIMEOUT");
		assertThat(ThrottledDelay.decide(policy.maxRetryAge(Duration.ofHours(9)).build(), history,
				new RetryRatioLimiter(ratio, () -> 0), last, FIRST))
			.isEqualTo(new Decision.Throttle(Instant.parse("2026-07-01T20:00:00Z"), "DOWNSTREAM_TIMEOUT"));
		assertThat(ThrottledDelay.decide(policy.maxRetryAge(Duration.ofHours(7)).build(), history,
				new RetryRatioLimiter(ratio, () -> 0), last, FIRST))
			.isEqualTo(new Decision.Park("RETRY_AGE_EXCEEDED", FailureClass.TRANSIENT, "DOWNSTREAM_TIMEOUT"));
	}

	@Test
	void aDelayWhoseQueuesTakeLongerThanTheAgeAllowsIsHalved() {
		RetryRatio ratio = new RetryRatio(0.1, Duration.ofSeconds(11), 1);
		MessagePolicy policy = TestPolicy.order()
			.backoff(Backoff.fixed(Duration.ofSeconds(5)))
			.maxRetryAge(Duration.ofMinutes(1))
			.ratio(ratio)
			.build();
		RetryRatioLimiter limiter = new RetryRatioLimiter(ratio, () -> 0);
		assertThat(limiter.place()).isEqualTo(Duration.ofMillis(5500));
		Instant now = FIRST.plusSeconds(48);
		DeliveryHistory history = new DeliveryHistory(1, FIRST, null, Duration.ofSeconds(5), 1, Usage.NONE, null,
				List.of());
		FailureClassification last = FailureClassification.of(FailureClass.TRANSIENT, "DOWNSTREAM_TIMEOUT");
		// its place is 11 s from now, for which it would wait 15 s, 12 s before it is too
		// old
		assertThat(ThrottledDelay.decide(policy, history, limiter, last, now))
			.isEqualTo(new Decision.Throttle(now.plusSeconds(6), "DOWNSTREAM_TIMEOUT"));
	}

}
