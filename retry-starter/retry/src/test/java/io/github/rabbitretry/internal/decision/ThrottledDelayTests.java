/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.decision;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.policy.Backoff;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.RetryRatio;
import io.github.rabbitretry.internal.policy.TestPolicy;
import io.github.rabbitretry.topology.Usage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ThrottledDelayTests {

	private static final Instant FIRST = Instant.parse("2026-07-01T12:00:00Z");

	@Test
	void aDelayWhoseQueuesTakeLongerThanTheAgeAllowsIsHalved() {
		RetryRatio ratio = new RetryRatio(0.1, Duration.ofSeconds(11), 1);
		MessagePolicy policy = TestPolicy.order()
			.backoff(new Backoff.Fixed(Duration.ofSeconds(5)))
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
