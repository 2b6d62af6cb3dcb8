/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import io.github.rabbitretry.parking.message.ParkedFilter;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The tables in H2, which commits each statement of their script by itself.
 */
class H2SchemaTests {

	private final List<Connection> open = new ArrayList<>();

	@AfterEach
	void close() throws SQLException {
		for (Connection connection : this.open) {
			connection.close();
		}
	}

	@ParameterizedTest
	@MethodSource
	void aStartKilledAfterAnyStatementIsTakenUpByTheNext(int statements) throws SQLException, IOException {
		JdbcDataSource database = database("");
		try (Connection killed = database.getConnection(); Statement statement = killed.createStatement()) {
			for (String sql : script().subList(0, statements)) {
				statement.execute(sql);
			}
		}
		assertUsable(database);
	}

	static IntStream aStartKilledAfterAnyStatementIsTakenUpByTheNext() throws IOException {
		return IntStream.rangeClosed(0, script().size());
	}

	@ParameterizedTest
	@ValueSource(strings = { ";MODE=PostgreSQL", ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE", ";MODE=MySQL",
			";MODE=Oracle", ";DATABASE_TO_UPPER=FALSE" })
	void whateverTheModeOfH2TheLedgerWorks(String mode) throws SQLException {
		assertUsable(database(mode));
	}

	@RepeatedTest(5)
	void instancesThatStartTogetherMakeTheTablesOnce() throws SQLException {
		JdbcDataSource database = database("");
		List<CompletableFuture<Void>> starts = Stream
			.generate(() -> new LedgerSchema(database, SchemaInitialization.ALWAYS))
			.limit(4)
			.map((schema) -> CompletableFuture.runAsync(schema::prepare))
			.toList();
		assertThat(starts).allSatisfy((start) -> assertThat(start).succeedsWithin(Duration.ofSeconds(30)));
		assertUsable(database);
	}

	@Test
	void aTableThatIsMissingStopsTheStartThatWouldNeedIt() throws SQLException {
		JdbcDataSource database = database("");
		new LedgerSchema(database, SchemaInitialization.ALWAYS).prepare();
		try (Connection operator = database.getConnection(); Statement statement = operator.createStatement()) {
			statement.execute("drop table rabbit_retry_audit");
		}
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(new LedgerSchema(database, SchemaInitialization.ALWAYS)::prepare)
			.withMessageContaining("but not [rabbit_retry_audit]")
			.withMessageContaining("schema/common/V1__rabbit_retry_ledger.sql");
	}

	@Test
	void tablesOfASchemaWithASimilarNameAreNotTakenForItsOwn() throws SQLException {
		JdbcDataSource database = database("");
		try (Connection operator = database.getConnection(); Statement statement = operator.createStatement()) {
			statement.execute("create schema tenant1a");
			statement.execute("create schema tenant_a");
		}
		String url = database.getURL();
		database.setURL(url + ";SCHEMA=TENANT1A");
		assertUsable(database);
		database.setURL(url + ";SCHEMA=TENANT_A");
		assertUsable(database);
	}

	private static void assertUsable(JdbcDataSource database) {
		LedgerSchema schema = new LedgerSchema(database, SchemaInitialization.ALWAYS);
		schema.prepare();
		new LedgerStore(schema).save(List.of(Parking.of("m-0").row()));
		assertThat(new JdbcLedger(schema).count(ParkedFilter.ALL)).isOne();
	}

	private static List<String> script() throws IOException {
		String script = new ClassPathResource(LedgerDialect.H2.scripts().get(0))
			.getContentAsString(StandardCharsets.UTF_8);
		return Stream.of(script.split(";\\s*\n")).filter((statement) -> !statement.isBlank()).toList();
	}

	/** Kept for as long as the test runs. */
	private JdbcDataSource database(String settings) throws SQLException {
		JdbcDataSource database = new JdbcDataSource();
		database.setUrl("jdbc:h2:mem:" + UUID.randomUUID() + settings);
		database.setUser("sa");
		this.open.add(database.getConnection());
		return database;
	}

}
