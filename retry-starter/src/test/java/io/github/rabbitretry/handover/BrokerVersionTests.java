/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.handover;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class BrokerVersionTests {

	@Test
	void isReadUpToTheMinorVersion() {
		assertThat(BrokerVersion.parse("4.3.6")).isEqualTo(new BrokerVersion(4, 3));
		assertThat(BrokerVersion.parse("4.10.0-rc.1+7")).isGreaterThan(BrokerVersion.NACK_IS_UNCOUNTED);
		assertThat(BrokerVersion.parse("4.2.9")).isLessThan(BrokerVersion.NACK_IS_UNCOUNTED);
		assertThat(BrokerVersion.parse("5.0")).isGreaterThan(BrokerVersion.NACK_IS_UNCOUNTED);
	}

	@ParameterizedTest
	@ValueSource(strings = { "null", "", "4", "99999.1", "v4.3", "4.3\u0000", "-4.3" })
	void anythingElseCountsAsOld(String version) {
		assertThat(BrokerVersion.parse(version)).isLessThanOrEqualTo(BrokerVersion.NACK_IS_UNCOUNTED);
	}

}
