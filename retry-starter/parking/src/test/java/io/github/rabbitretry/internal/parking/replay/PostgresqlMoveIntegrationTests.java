/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.util.List;

import io.github.rabbitretry.database.Database;

class PostgresqlMoveIntegrationTests extends MoveContract {

	@Override
	List<String> newDatabase() {
		Database database = Database.shared();
		return List.of("spring.datasource.url=" + database.createDatabase(),
				"spring.datasource.username=" + database.username(),
				"spring.datasource.password=" + database.password(), "rabbit-retry.ledger.initialize-schema=always");
	}

}
