/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.deduplication;

import javax.sql.DataSource;

import io.github.rabbitretry.database.Database;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

class PostgresqlDeduplicatorIntegrationTests extends DeduplicatorContract {

	@Override
	DataSource newDatabase() {
		return new DriverManagerDataSource(Database.shared().createDatabase(), Database.shared().username(),
				Database.shared().password());
	}

}
