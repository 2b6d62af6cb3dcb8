/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.rabbitretry.database.Database;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import io.github.rabbitretry.parking.message.ParkedFilter;
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
					"classpath:io/github/rabbitretry/parking/schema/common/V1__rabbit_retry_ledger.sql and"
							+ " classpath:io/github/rabbitretry/parking/schema/postgresql/V1_1__rabbit_retry_ledger_counts.sql");
		assertThat(JdbcClient.create(empty)
			.sql("select count(*) from information_schema.tables where table_schema = current_schema()")
			.query(Long.class)
			.single()).isZero();
	}

	@Test
	void aBatchChangesACountOnceAndChangesAreSummedUp() {
		DataSource dataSource = newDatabase();
		LedgerSchema schema = new LedgerSchema(dataSource, SchemaInitialization.ALWAYS);
		LedgerStore store = new LedgerStore(schema);
		JdbcClient sql = JdbcClient.create(dataSource);
		for (int batch = 0; batch < 3; batch++) {
			String prefix = "m-" + batch + "-";
			store.save(IntStream.range(0, 100).mapToObj((number) -> Parking.of(prefix + number).row()).toList());
		}
		assertThat(changes(sql)).isEqualTo(List.of(100L, 100L, 100L));
		new LedgerCounts(schema).sumUp();
		assertThat(changes(sql)).isEqualTo(List.of(300L));
		sql.sql("truncate rabbit_retry_parked cascade").update();
		assertThat(changes(sql)).isEmpty();
	}

	@Test
	void largeBodiesAreSpreadOverSeveralStatements() {
		DataSource dataSource = newDatabase();
		LedgerSchema schema = new LedgerSchema(dataSource, SchemaInitialization.ALWAYS);
		String body = "x".repeat(6 * 1024 * 1024);
		new LedgerStore(schema)
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

	@Test
	void tablesOfASchemaWithASimilarNameAreNotTakenForItsOwn() {
		String id = UUID.randomUUID().toString().substring(0, 8);
		create("a1" + id);
		create("a_" + id);
		new LedgerSchema(in("\"a1%s\"".formatted(id)), SchemaInitialization.ALWAYS).prepare();
		DataSource similar = in("\"a_%s\"".formatted(id));
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(new LedgerSchema(similar, SchemaInitialization.EMBEDDED)::prepare)
			.withMessageContaining("finds none");
		new LedgerSchema(similar, SchemaInitialization.ALWAYS).prepare();
		new LedgerSchema(similar, SchemaInitialization.NEVER).prepare();
	}

	@Test
	void tablesAnywhereOnTheSearchPathAreUsed() {
		String id = UUID.randomUUID().toString().substring(0, 8);
		create("b1" + id);
		create("b2" + id);
		new LedgerSchema(in("\"b2%s\"".formatted(id)), SchemaInitialization.ALWAYS).prepare();
		DataSource both = in("\"b1%s\",\"b2%s\"".formatted(id, id));
		new LedgerSchema(both, SchemaInitialization.ALWAYS).prepare();
		assertThat(JdbcClient.create(both)
			.sql("select table_schema from information_schema.tables where table_name = 'rabbit_retry_parked' and table_schema like ?")
			.param("b_" + id)
			.query(String.class)
			.list()).containsExactly("b2" + id);
	}

	@Test
	void aSchemaThatDoesNotExistStopsTheStart() {
		for (SchemaInitialization mode : SchemaInitialization.values()) {
			assertThatExceptionOfType(InvalidConfigurationException.class).as(mode.name())
				.isThrownBy(new LedgerSchema(in("nowhere"), mode)::prepare);
		}
	}

	@Test
	void tablesOfNoKnownVersionFailStartup() {
		DataSource dataSource = newDatabase();
		new LedgerSchema(dataSource, SchemaInitialization.ALWAYS).prepare();
		JdbcClient.create(dataSource).sql("delete from rabbit_retry_schema").update();
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(new LedgerSchema(dataSource, SchemaInitialization.ALWAYS)::prepare)
			.withMessageContaining("can't create the ledger's tables");
	}

	@Test
	void aTableThatIsMissingStopsTheStartThatWouldNeedIt() {
		DataSource dataSource = newDatabase();
		new LedgerSchema(dataSource, SchemaInitialization.ALWAYS).prepare();
		JdbcClient.create(dataSource).sql("drop table rabbit_retry_audit").update();
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(new LedgerSchema(dataSource, SchemaInitialization.ALWAYS)::prepare)
			.withMessageContaining("but not [rabbit_retry_audit]");
	}

	@Test
	void anotherSessionThatKeepsTheLockDelaysAStartForABoundedTime() throws SQLException {
		try (Connection other = dataSource(database).getConnection(); Statement statement = other.createStatement()) {
			statement.execute("select pg_advisory_lock(7421580273645519)");
			DataSource bounded = dataSource(newSchema() + "&options=-c%20lock_timeout=500ms");
			LedgerSchema schema = new LedgerSchema(bounded, SchemaInitialization.ALWAYS);
			assertThat(CompletableFuture.runAsync(schema::prepare)).succeedsWithin(Duration.ofSeconds(20));
			assertThat(schema.health().problems()).isNotEmpty();
			statement.execute("select pg_advisory_unlock(7421580273645519)");
			assertThat(new JdbcLedger(schema).count(ParkedFilter.ALL)).isZero();
		}
	}

	private static void create(String schema) {
		JdbcClient.create(dataSource(database)).sql("create schema \"%s\"".formatted(schema)).update();
	}

	private static DataSource in(String searchPath) {
		return dataSource(database + "?currentSchema=" + URLEncoder.encode(searchPath, StandardCharsets.UTF_8));
	}

}
