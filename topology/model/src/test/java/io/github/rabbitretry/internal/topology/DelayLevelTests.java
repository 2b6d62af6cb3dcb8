/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class DelayLevelTests {

	@ParameterizedTest
	@CsvSource({ "500, 500ms", "1000, 1s", "1500, 1500ms", "10000, 10s", "60000, 1m", "90000, 90s", "300000, 5m",
			"7200000, 2h", "5400000, 90m", "86400000, 1d", "90000000, 25h" })
	void isLabelledInTheLargestUnitThatDividesIt(long millis, String label) {
		assertThat(new DelayLevel(Duration.ofMillis(millis)).label()).isEqualTo(label);
	}

}
