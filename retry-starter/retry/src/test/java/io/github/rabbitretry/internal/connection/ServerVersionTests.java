/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

class ServerVersionTests {

	@ParameterizedTest
	@ValueSource(strings = { "4.3.6", "4.3\u0000", "4.10.0-rc.1+7", "5.0" })
	void from43OnTheDeliveryCountIsLeftAlone(String version) {
		assertThat(ServerVersion.parse(version).givesBackUncounted()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "4.2.9", "3.13.7", "null", "", "4", "99999.1", "v4.3", "-4.3" })
	void anythingElseCountsAsOld(String version) {
		assertThat(ServerVersion.parse(version).givesBackUncounted()).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "3.10.8", "3.13.7", "2.0" })
	void brokersThatDropReturnedMessagesOfParkingLotsFailStartup(String version) {
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> ServerVersion.parse(version).requireSupported())
			.withMessageContaining(version.replaceAll("^(\\d+\\.\\d+).*", "$1"))
			.withMessageContaining("4.0 or later");
	}

	@ParameterizedTest
	@ValueSource(strings = { "4.0.5", "4.3.6", "5.0.0", "null", "" })
	void othersAndThoseThatDoNotSayStart(String version) {
		assertThatNoException().isThrownBy(() -> ServerVersion.parse(version).requireSupported());
	}

}
