/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.time.Instant;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class PointInTimeTests {

	@ParameterizedTest
	@CsvSource({ "2h, 2026-07-01T10:00:00Z", "30min, 2026-07-01T11:30:00Z", "1d, 2026-06-30T12:00:00Z",
			"2026-07-01T12:30:00Z, 2026-07-01T12:30:00Z", "yesterday, yesterday", "9999999999h, 9999999999h" })
	void pointsInTimeAreTypedAsPeopleSayThem(String typed, String instant) {
		assertThat(Arguments.instant(typed, Instant.parse("2026-07-01T12:00:00Z"))).isEqualTo(instant);
	}

}
