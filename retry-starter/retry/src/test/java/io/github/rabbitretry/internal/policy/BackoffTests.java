/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.policy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class BackoffTests {

	private static final Duration HOUR = Duration.ofHours(1);

	@ParameterizedTest
	@MethodSource
	void spacesAttempts(Backoff backoff, List<String> expected) {
		List<Duration> delays = IntStream.rangeClosed(1, expected.size()).mapToObj(backoff::before).toList();
		assertThat(delays).isEqualTo(expected.stream().map(Duration::parse).toList());
	}

	static Stream<Arguments> spacesAttempts() {
		return Stream.of(Arguments.of(Backoff.fixed(Duration.ofSeconds(7)), List.of("PT7S", "PT7S", "PT7S")),
				Arguments.of(Backoff.linear(Duration.ofMinutes(25), HOUR), List.of("PT25M", "PT50M", "PT1H")),
				Arguments.of(Backoff.exponential(Duration.ofSeconds(5), 6, HOUR),
						List.of("PT5S", "PT30S", "PT3M", "PT18M", "PT1H", "PT1H")),
				Arguments.of(Backoff.exponential(Duration.ofSeconds(5), 1, HOUR), List.of("PT5S", "PT5S")),
				Arguments.of(Backoff.exponential(Duration.ofMillis(1), 1.5, HOUR),
						List.of("PT0.001S", "PT0.002S", "PT0.002S", "PT0.003S", "PT0.005S")),
				Arguments.of(Backoff.exponential(HOUR, 2, HOUR), List.of("PT1H", "PT1H")),
				Arguments.of(Backoff.schedule(List.of(Duration.ofSeconds(10), Duration.ofSeconds(1))),
						List.of("PT10S", "PT1S", "PT1S", "PT1S")));
	}

	@ParameterizedTest
	@MethodSource
	void neverOverflows(Backoff backoff) {
		for (int attempt : new int[] { 1, 2, 1000, 1_000_000, Integer.MAX_VALUE }) {
			assertThat(backoff.before(attempt)).isPositive().isLessThanOrEqualTo(HOUR);
		}
		assertThat(backoff.before(Integer.MAX_VALUE)).isEqualTo(HOUR);
	}

	static Stream<Backoff> neverOverflows() {
		return Stream.of(Backoff.linear(Duration.ofMinutes(59), HOUR),
				Backoff.exponential(Duration.ofMillis(1), 1000, HOUR),
				Backoff.exponential(Duration.ofMillis(1), Double.MAX_VALUE, HOUR),
				Backoff.exponential(Duration.ofMillis(1), 1.000_001, HOUR),
				Backoff.exponential(HOUR, Double.POSITIVE_INFINITY, HOUR));
	}

	@Test
	void aScheduleIsNotChangedFromOutside() {
		List<Duration> delays = new ArrayList<>(List.of(HOUR));
		Backoff backoff = Backoff.schedule(delays);
		delays.clear();
		assertThat(backoff.before(1)).isEqualTo(HOUR);
	}

}
