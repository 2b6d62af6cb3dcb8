/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ServerVersionTests {

	@Test
	void isReadUpToTheMinorVersion() {
		assertThat(ServerVersion.parse("4.3.6")).isEqualTo(new ServerVersion(4, 3));
		assertThat(ServerVersion.parse("4.10.0-rc.1+7")).isGreaterThan(ServerVersion.NACK_IS_UNCOUNTED);
		assertThat(ServerVersion.parse("4.2.9")).isLessThan(ServerVersion.NACK_IS_UNCOUNTED);
		assertThat(ServerVersion.parse("5.0")).isGreaterThan(ServerVersion.NACK_IS_UNCOUNTED);
	}

	@ParameterizedTest
	@ValueSource(strings = { "null", "", "4", "99999.1", "v4.3", "4.3\u0000", "-4.3" })
	void anythingElseCountsAsOld(String version) {
		assertThat(ServerVersion.parse(version)).isLessThanOrEqualTo(ServerVersion.NACK_IS_UNCOUNTED);
	}

}
