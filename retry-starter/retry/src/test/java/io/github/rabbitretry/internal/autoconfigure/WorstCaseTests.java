/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.time.Duration;
import java.util.List;

import io.github.rabbitretry.internal.autoconfigure.PolicySummary.WorstCase;
import io.github.rabbitretry.internal.policy.Backoff;
import io.github.rabbitretry.internal.policy.TestPolicy;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WorstCaseTests {

	@Test
	void allBudgetsAreMultiplied() {
		WorstCase worst = WorstCase.of(TestPolicy.order().localAttempts(3).brokerAttempts(4).build());
		assertThat(worst).isEqualTo(new WorstCase(15, Duration.ofHours(1), Duration.ofSeconds(1 + 2 + 4 + 8), 4,
				TestPolicy.order().brokerAttempts(4).build().topology().ownQueues().size()));
	}

	@Test
	void attemptsThatComeTooLateDoNotFit() {
		TestPolicy policy = TestPolicy.order().backoff(Backoff.schedule(List.of(Duration.ofMinutes(20))));
		assertThat(WorstCase.of(policy.brokerAttempts(5).build()).attemptsThatFit()).isEqualTo(3);
		assertThat(WorstCase.of(policy.maxCumulativeDelay(Duration.ofMinutes(59)).build()).attemptsThatFit())
			.isEqualTo(2);
		assertThat(WorstCase.of(policy.build()).backoffDelays()).isEqualTo(Duration.ofMinutes(40));
	}

	@Test
	void jitterCountsAtItsMost() {
		TestPolicy policy = TestPolicy.order().backoff(Backoff.fixed(Duration.ofSeconds(10))).jitter(0.2);
		assertThat(WorstCase.of(policy.build()).backoffDelays()).isEqualTo(Duration.ofSeconds(36));
	}

	@Test
	void withoutBrokerAttemptsNothingWaits() {
		WorstCase worst = WorstCase.of(TestPolicy.order().brokerAttempts(0).build());
		assertThat(worst.backoffDelays()).isZero();
		assertThat(worst.attemptsThatFit()).isZero();
	}

}
