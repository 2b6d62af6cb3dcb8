/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console.application;

import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.parking.ledger.SchemaInitialization;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

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
	void failsUnderTheNameOfAService() {
		String database = RunningConsole.database();
		DriverManagerDataSource dataSource = new DriverManagerDataSource(database, "sa", "");
		new LedgerSchema(dataSource, SchemaInitialization.ALWAYS).prepare();
		JdbcClient.create(dataSource)
			.sql("insert into rabbit_retry_service (application, registration, handler_version, registered_at, seen_at,"
					+ " policies) values ('orders', 'any', 'orders:1', current_timestamp, current_timestamp, '{}')")
			.update();
		assertThatThrownBy(() -> RunningConsole.startWith(database, "spring.application.name=orders"))
			.hasStackTraceContaining("spring.application.name")
			.hasStackTraceContaining("is the name of a service");
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
			"rabbit-retry.console.user.olivia.roles=VIEWER", "management.server.port=9090" })
	void failsWithWhatServicesDoAndWithUnknownKeys(String property) {
		assertThatThrownBy(() -> RunningConsole.start(property))
			.hasStackTraceContaining(InvalidConfigurationException.class.getName())
			.hasStackTraceContaining(property.split("=|\\.Order")[0]);
	}

}
