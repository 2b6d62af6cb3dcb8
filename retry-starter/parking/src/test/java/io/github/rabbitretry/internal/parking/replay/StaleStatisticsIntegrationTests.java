/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import io.github.rabbitretry.database.Database;
import io.github.rabbitretry.internal.parking.ledger.JdbcLedger;
import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.parking.ledger.SchemaInitialization;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.replay.DiscardRequest;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.RestoreRequest;
import io.github.rabbitretry.parking.replay.Selection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/**
 * PostgreSQL plans by what it knows of a table, and does not know of an act that has just
 * changed the state of all messages.
 */
class StaleStatisticsIntegrationTests {

	private static final int MESSAGES = 20_000;

	private static final OperatorAction ACT = new OperatorAction("ops", "TEST");

	@Test
	@Timeout(180)
	void whatWasDiscardedIsRestoredAtOnceDespiteStaleStatistics() {
		Database database = Database.shared();
		DriverManagerDataSource dataSource = new DriverManagerDataSource(database.createDatabase(), database.username(),
				database.password());
		LedgerSchema schema = new LedgerSchema(dataSource, SchemaInitialization.ALWAYS);
		schema.prepare();
		JdbcClient jdbc = JdbcClient.create(dataSource);
		jdbc.sql("alter table rabbit_retry_parked set (autovacuum_enabled = false)").update();
		ParkedTable.fill(jdbc, MESSAGES);
		jdbc.sql("analyze").update();
		ReplayStores stores = new ReplayStores(schema, new JdbcLedger(dataSource, schema), "orders", schema.clock());
		DiscardStore discards = new DiscardStore(stores);
		assertThat(discards.discard(new DiscardRequest(Selection.of(ParkedFilter.ALL), 100_000, false, ACT)).count())
			.isEqualTo(MESSAGES);
		// so that a plan that takes hours does not
		dataSource.setUrl(dataSource.getUrl() + (dataSource.getUrl().contains("?") ? "&" : "?")
				+ "options=-c%20statement_timeout=20s");
		assertThatCode(() -> assertThat(
				discards.restore(new RestoreRequest(Selection.of(ParkedFilter.ALL), null, 100_000, false, ACT, null))
					.count())
			.isEqualTo(MESSAGES)).doesNotThrowAnyException();
		assertThat(discards.discard(new DiscardRequest(Selection.of(ParkedFilter.ALL), 100_000, false, ACT)).count())
			.isEqualTo(MESSAGES);
	}

}
