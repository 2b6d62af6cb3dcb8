/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import javax.sql.DataSource;

import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

class H2LedgerTests extends LedgerContract {

	@Override
	DataSource newDatabase() {
		JdbcDataSource dataSource = new JdbcDataSource();
		dataSource.setUrl("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID()));
		return dataSource;
	}

	/** H2 itself lets a row be deleted that another transaction refers to. */
	@Test
	void noMessageLosesItsFailureKindToADeletionThatGoesOnMeanwhile() throws Exception {
		DataSource dataSource = newDatabase();
		LedgerSchema schema = new LedgerSchema(dataSource, SchemaInitialization.ALWAYS);
		LedgerStore store = new LedgerStore(schema);
		FailureDimensions kinds = new FailureDimensions(schema, new LedgerTransactions(schema));
		JdbcClient sql = JdbcClient.create(dataSource);
		int met = 0;
		for (int number = 0; number < 500; number++) {
			CompletableFuture<Integer> deletion = CompletableFuture.supplyAsync(() -> kinds.deleteUnused("order"));
			assertThat(store.save(List.of(Parking.of("m-" + number).row()))).isEmpty();
			met += deletion.get();
			assertThat(sql.sql("select count(*) from rabbit_retry_ledger").query(Long.class).single()).isOne();
			sql.sql("delete from rabbit_retry_parked").update();
		}
		assertThat(met).as("deletions").isPositive();
	}

}
