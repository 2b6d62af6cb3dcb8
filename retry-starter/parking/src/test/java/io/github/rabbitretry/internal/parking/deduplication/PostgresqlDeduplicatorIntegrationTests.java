/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.deduplication;

import javax.sql.DataSource;

import io.github.rabbitretry.database.Database;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

class PostgresqlDeduplicatorIntegrationTests extends DeduplicatorContract {

	@Override
	DataSource newDatabase() {
		return new DriverManagerDataSource(Database.shared().createDatabase(), Database.shared().username(),
				Database.shared().password());
	}

	/** The message is acknowledged after it, and would be gone with it. */
	@ParameterizedTest
	@CsvSource({ "off, on", "local, on", "on, on", "remote_apply, remote_apply" })
	void aHandlersCommitOutlivesACrashOfTheDatabase(String setting, String inHandler) {
		sql().sql(
				"do $$ begin execute format('alter database %%I set synchronous_commit = %s', current_database()); end $$"
					.formatted(setting))
			.update();
		handle("m-1", () -> assertThat(sql().sql("show synchronous_commit").query(String.class).single())
			.isEqualTo(inHandler));
		assertThat(sql().sql("show synchronous_commit").query(String.class).single()).isEqualTo(setting);
	}

}
