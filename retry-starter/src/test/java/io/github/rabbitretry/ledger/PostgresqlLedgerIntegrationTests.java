/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.ledger;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.rabbitretry.database.Database;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;

class PostgresqlLedgerIntegrationTests extends LedgerContract {

	private static String database = "";

	private @Nullable SingleConnectionDataSource last;

	@BeforeAll
	static void oneDatabase() {
		database = Database.shared().createDatabase();
	}

	/** A schema of the database: as empty as a database, and cheaper. */
	@Override
	DataSource newDatabase() {
		disconnect();
		this.last = new SingleConnectionDataSource(newSchema(), Database.shared().username(),
				Database.shared().password(), true);
		return this.last;
	}

	private static String newSchema() {
		String name = "s" + UUID.randomUUID().toString().replace("-", "");
		JdbcClient.create(dataSource(database)).sql("create schema " + name).update();
		return database + "?currentSchema=" + name;
	}

	private static DataSource dataSource(String url) {
		return new DriverManagerDataSource(url, Database.shared().username(), Database.shared().password());
	}

	@AfterEach
	void disconnect() {
		if (this.last != null) {
			this.last.destroy();
		}
	}

	@Test
	void instancesThatStartTogetherMakeTheTablesOnce() {
		DataSource dataSource = dataSource(newSchema());
		List<CompletableFuture<Void>> starts = Stream.generate(() -> new LedgerSchema(dataSource, true))
			.limit(4)
			.map((schema) -> CompletableFuture.runAsync(schema::prepare))
			.toList();
		assertThat(starts).allSatisfy((start) -> assertThat(start).succeedsWithin(Duration.ofSeconds(30)));
	}

}
