/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.util.Arrays;

import javax.sql.DataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Puts messages into a ledger as the ingestion would, for tests that have no broker.
 */
public final class StoredMessages {

	private StoredMessages() {
	}

	/**
	 * Stores messages whose body is {@code {"card":"4111"}}.
	 * @param dataSource leads to the ledger, whose tables are there
	 * @param messageIds their message ids
	 */
	public static void store(DataSource dataSource, String... messageIds) {
		LedgerStore store = new LedgerStore(new LedgerSchema(dataSource, SchemaInitialization.NEVER));
		assertThat(store.save(Arrays.stream(messageIds)
			.map((id) -> Parking.of(id).header("x-tenant", "secret-tenant").body("{\"card\":\"4111\"}").row())
			.toList())).isEmpty();
	}

}
