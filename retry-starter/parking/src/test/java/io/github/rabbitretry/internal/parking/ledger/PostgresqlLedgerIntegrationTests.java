/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.rabbitretry.database.Database;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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
	void noTablesAreCreatedHereByDefaultAndTheMessageNamesTheScript() {
		DataSource empty = newDatabase();
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(new LedgerSchema(empty, SchemaInitialization.EMBEDDED)::prepare)
			.withMessageContaining("rabbit-retry.ledger.initialize-schema: 'embedded' expects")
			.withMessageContaining("finds none, and creates none in this PostgreSQL")
			.withMessageContaining(
					"classpath:io/github/rabbitretry/parking/schema/postgresql/V1__rabbit_retry_ledger.sql");
		assertThat(JdbcClient.create(empty)
			.sql("select count(*) from information_schema.tables where table_schema = current_schema()")
			.query(Long.class)
			.single()).isZero();
	}

	@Test
	void aBatchChangesACountOnceAndChangesAreSummedUp() {
		DataSource dataSource = newDatabase();
		LedgerSchema schema = new LedgerSchema(dataSource, SchemaInitialization.ALWAYS);
		LedgerStore store = new LedgerStore(dataSource, schema);
		JdbcClient sql = JdbcClient.create(dataSource);
		for (int batch = 0; batch < 3; batch++) {
			String prefix = "m-" + batch + "-";
			store.save(IntStream.range(0, 100).mapToObj((number) -> Parking.of(prefix + number).row()).toList());
		}
		assertThat(changes(sql)).isEqualTo(List.of(100L, 100L, 100L));
		new LedgerCounts(dataSource, schema).sumUp();
		assertThat(changes(sql)).isEqualTo(List.of(300L));
		sql.sql("truncate rabbit_retry_parked cascade").update();
		assertThat(changes(sql)).isEmpty();
	}

	@Test
	void largeBodiesAreSpreadOverSeveralStatements() {
		DataSource dataSource = newDatabase();
		LedgerSchema schema = new LedgerSchema(dataSource, SchemaInitialization.ALWAYS);
		String body = "x".repeat(6 * 1024 * 1024);
		new LedgerStore(dataSource, schema)
			.save(IntStream.range(0, 5).mapToObj((number) -> Parking.of("m-" + number).body(body).row()).toList());
		assertThat(changes(JdbcClient.create(dataSource))).isEqualTo(List.of(3L, 2L));
	}

	private static List<Long> changes(JdbcClient sql) {
		return sql.sql("select change from rabbit_retry_parked_count").query(Long.class).list();
	}

	@Test
	void instancesThatStartTogetherMakeTheTablesOnce() {
		DataSource dataSource = dataSource(newSchema());
		List<CompletableFuture<Void>> starts = Stream
			.generate(() -> new LedgerSchema(dataSource, SchemaInitialization.ALWAYS))
			.limit(4)
			.map((schema) -> CompletableFuture.runAsync(schema::prepare))
			.toList();
		assertThat(starts).allSatisfy((start) -> assertThat(start).succeedsWithin(Duration.ofSeconds(30)));
	}

}
