/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.policy;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EscalateAfterTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	@Test
	void isReachedFromItsAttemptOnHoweverOldTheMessageIs() {
		EscalateAfter third = new EscalateAfter(3, null);
		assertThat(third.reached(2, Duration.ofDays(9))).isFalse();
		assertThat(third.reached(3, Duration.ZERO)).isTrue();
		assertThat(third.reached(4, Duration.ZERO)).isTrue();
	}

	@Test
	void isReachedFromItsAgeOnWhateverTheAttempt() {
		EscalateAfter minute = new EscalateAfter(null, MINUTE);
		assertThat(minute.reached(99, MINUTE.minusMillis(1))).isFalse();
		assertThat(minute.reached(1, MINUTE)).isTrue();
		assertThat(minute.reached(1, MINUTE.plusMillis(1))).isTrue();
	}

}
