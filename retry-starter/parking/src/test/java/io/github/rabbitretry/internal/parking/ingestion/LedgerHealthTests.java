/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ingestion;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import javax.sql.DataSource;

import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.parking.ledger.LedgerTransactions;
import io.github.rabbitretry.internal.parking.ledger.LedgerStore;
import io.github.rabbitretry.internal.parking.ledger.Parking;
import io.github.rabbitretry.internal.parking.ledger.SchemaInitialization;
import io.github.rabbitretry.internal.parking.mapping.ParkedRecordMapper;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LedgerHealthTests {

	private final AtomicBoolean away = new AtomicBoolean();

	private final DataSource dataSource = new DelegatingDataSource(h2()) {
		@Override
		public Connection getConnection() throws SQLException {
			if (LedgerHealthTests.this.away.get()) {
				throw new SQLException("FATAL: the database system is shutting down", "57P03");
			}
			return super.getConnection();
		}
	};

	private final LedgerSchema schema = new LedgerSchema(this.dataSource, SchemaInitialization.ALWAYS);

	private static JdbcDataSource h2() {
		JdbcDataSource dataSource = new JdbcDataSource();
		dataSource.setUrl("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID()));
		return dataSource;
	}

	private List<HealthProblem> problems() {
		return this.schema.health().problems();
	}

	@Test
	void aDatabaseThatIsAwayIsAProblemWithItsOwnTextUntilItIsBack() {
		new LedgerTransactions(this.schema).inTransaction(() -> 1);
		assertThat(problems()).isEmpty();
		this.away.set(true);
		assertThatExceptionOfType(DataAccessResourceFailureException.class)
			.isThrownBy(() -> new LedgerTransactions(this.schema).inTransaction(() -> 1));
		assertThat(problems()).singleElement().satisfies((problem) -> {
			assertThat(problem.code()).isEqualTo("ledger-unavailable");
			assertThat(problem.detail()).contains("FATAL: the database system is shutting down");
		});
		this.away.set(false);
		new LedgerTransactions(this.schema).inTransaction(() -> 1);
		assertThat(problems()).isEmpty();
	}

	@Test
	void ingestionFindsOutByItselfThatTheDatabaseIsAway() throws Exception {
		LedgerStore store = new LedgerStore(this.schema);
		this.schema.prepare();
		this.away.set(true);
		Parking parking = Parking.of("m-1");
		ParkedBatchWriter writer = new ParkedBatchWriter(Map.of("order.parking-lot", Parking.policy("order")),
				new ParkedRecordMapper(Parking.NAMES, this.schema.clock()), store, this.schema.health(),
				ParkedMessageListeners.NONE, new CountDownLatch(0), Adoption.NONE);
		assertThat(writer.write(
				List.of(new ParkedDelivery(1, "order.parking-lot", parking.properties(), parking.bytes())), () -> true))
			.isEmpty();
		assertThat(problems()).extracting(HealthProblem::code).containsExactly("ledger-unavailable");
	}

	@Test
	void soIsOneThatCanNotBeReachedFromTheStart() {
		this.away.set(true);
		this.schema.prepare();
		assertThat(problems()).extracting(HealthProblem::code).containsExactly("ledger-unavailable");
		this.away.set(false);
		new LedgerTransactions(this.schema).inTransaction(() -> 1);
		assertThat(problems()).isEmpty();
	}

	@Test
	void missingTablesOfADatabaseThatWasAwayAtStartupAreAProblem() {
		LedgerSchema verified = new LedgerSchema(this.dataSource, SchemaInitialization.NEVER);
		this.away.set(true);
		verified.prepare();
		this.away.set(false);
		assertThatExceptionOfType(InvalidDataAccessResourceUsageException.class)
			.isThrownBy(() -> new LedgerTransactions(verified).inTransaction(() -> 1));
		assertThat(verified.health().problems()).singleElement().satisfies((problem) -> {
			assertThat(problem.code()).isEqualTo("ledger-unavailable");
			assertThat(problem.detail()).contains("rabbit-retry.ledger.initialize-schema",
					"expects version 1 of the ledger's tables and finds none");
		});
		this.schema.prepare();
		new LedgerTransactions(verified).inTransaction(() -> 1);
		assertThat(verified.health().problems()).isEmpty();
	}

}
