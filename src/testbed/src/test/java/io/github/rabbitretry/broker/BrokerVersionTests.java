/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class BrokerVersionTests {

	@ParameterizedTest
	@CsvSource({ "4.0, 4.0.5, true", "4.0, 4.0, true", "4.0, 4.1.0, false", "4.3, 4.30.1, false", "4.3, 4.3.6, true" })
	void matchesWhatABrokerReports(String asked, String reported, boolean matches) {
		assertThat(BrokerVersion.parse(asked).matches(reported)).isEqualTo(matches);
	}

}
