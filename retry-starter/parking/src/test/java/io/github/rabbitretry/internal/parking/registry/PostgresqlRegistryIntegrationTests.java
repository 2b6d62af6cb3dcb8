/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.registry;

import javax.sql.DataSource;

import io.github.rabbitretry.database.Database;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

class PostgresqlRegistryIntegrationTests extends RegistryContract {

	@Override
	DataSource newDatabase() {
		Database database = Database.shared();
		return new DriverManagerDataSource(database.createDatabase(), database.username(), database.password());
	}

}
