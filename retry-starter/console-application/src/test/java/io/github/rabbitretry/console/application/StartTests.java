/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.console.application;

import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class StartTests {

	@Test
	void failsWithoutTheLedgersTablesAndSaysWhichServiceCreatesThem() {
		assertThatThrownBy(() -> RunningConsole.startWith(RunningConsole.database()))
			.hasStackTraceContaining("expects version")
			.hasStackTraceContaining("First start a service with this database")
			.hasStackTraceContaining("rabbit-retry.ledger.initialize-schema: always");
	}

	@Test
	void failsWithoutADatabase() {
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(() -> RunningConsole.startWith(""))
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo("spring.datasource.url"));
	}

	@Test
	void failsWhileTheDatabaseIsAway() {
		assertThatThrownBy(() -> RunningConsole.startWith("jdbc:postgresql://127.0.0.1:1/ledger",
				"spring.datasource.hikari.initialization-fail-timeout=1",
				"spring.datasource.hikari.connection-timeout=250"))
			.hasStackTraceContaining("leads to a ledger that can't be read");
	}

	@ParameterizedTest
	@ValueSource(strings = { "rabbit-retry.message-policies.Order.queue=orders", "rabbit-retry.ledger.ingest=true",
			"rabbit-retry.ledger.initialize-schema=always", "rabbit-retry.topology.mode=declare",
			"rabbit-retry.console.user.olivia.roles=VIEWER" })
	void failsWithWhatServicesDoAndWithUnknownKeys(String property) {
		assertThatThrownBy(() -> RunningConsole.start(property))
			.hasStackTraceContaining(InvalidConfigurationException.class.getName())
			.hasStackTraceContaining(property.split("=|\\.Order")[0]);
	}

}
