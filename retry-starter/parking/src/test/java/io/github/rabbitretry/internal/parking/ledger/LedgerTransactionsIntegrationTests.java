/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import io.github.rabbitretry.database.Database;
import io.github.rabbitretry.internal.parking.mapping.LedgerPolicy;
import io.github.rabbitretry.internal.parking.mapping.Redaction;
import io.github.rabbitretry.internal.policy.ExceptionTexts;
import io.github.rabbitretry.parking.message.ParkedFilter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the ledger commits is committed, however the connections are set up.
 */
class LedgerTransactionsIntegrationTests {

	@TempDir
	private static java.nio.file.Path folder;

	static Stream<String> databases() {
		return Stream.of(Database.shared().createDatabase(), "jdbc:h2:file:" + folder.resolve("ledger"));
	}

	private static HikariDataSource withoutAutoCommit(String url) {
		HikariDataSource dataSource = new HikariDataSource();
		dataSource.setJdbcUrl(url);
		dataSource.setUsername(url.startsWith("jdbc:h2") ? "sa" : Database.shared().username());
		dataSource.setPassword(url.startsWith("jdbc:h2") ? "" : Database.shared().password());
		dataSource.setAutoCommit(false);
		dataSource.setMaximumPoolSize(2);
		return dataSource;
	}

	@ParameterizedTest
	@MethodSource("databases")
	@Timeout(60)
	void withoutAutoCommitRowsAreStoredCountedAndDeletedByAge(String url) {
		try (HikariDataSource dataSource = withoutAutoCommit(url)) {
			LedgerSchema schema = new LedgerSchema(dataSource, SchemaInitialization.ALWAYS);
			LedgerStore store = new LedgerStore(schema);
			// more than retention deletes at once
			for (int batch = 0; batch < 6; batch++) {
				String prefix = "m-" + batch + "-";
				assertThat(store
					.save(IntStream.range(0, 200).mapToObj((number) -> Parking.of(prefix + number).row()).toList()))
					.isEmpty();
			}
			new LedgerTransactions(schema).update("update rabbit_retry_parked set stored_at = parked_at",
					new MapSqlParameterSource());
			LedgerCounts counts = new LedgerCounts(schema);
			counts.sumUp();
			assertThat(counts.parked().get("Order").count()).isEqualTo(1200);
			LedgerRetention retention = new LedgerRetention(schema, List.of(new LedgerPolicy("Order", "o", "order",
					"order.parking-lot", Duration.ofMinutes(1), Redaction.NONE, ExceptionTexts.FULL, Map.of())),
					schema.clock());
			assertThat(retention.deleteOld()).isEqualTo(1200);
			assertThat(new JdbcLedger(schema).count(ParkedFilter.ALL)).isZero();
		}
	}

	@Test
	void commitsOfPostgresqlAreOnDiskWhateverTheDatabaseSays() {
		String url = Database.shared().createDatabase();
		DriverManagerDataSource dataSource = new DriverManagerDataSource(url, Database.shared().username(),
				Database.shared().password());
		JdbcClient sql = JdbcClient.create(dataSource);
		sql.sql("alter database \"%s\" set synchronous_commit to off"
			.formatted(url.substring(url.lastIndexOf('/') + 1))).update();
		LedgerSchema schema = new LedgerSchema(dataSource, SchemaInitialization.ALWAYS);
		schema.prepare();
		assertThat(synchronousCommit(sql)).isEqualTo("off");
		sql.sql("create table seen (setting text)").update();
		sql.sql("create function see() returns trigger language plpgsql as "
				+ "'begin insert into seen values (current_setting(''synchronous_commit'')); return null; end'")
			.update();
		for (String table : List.of("rabbit_retry_parked", "rabbit_retry_failure_kind", "rabbit_retry_audit",
				"rabbit_retry_replay_job")) {
			sql.sql("create trigger see after insert or update or delete on %s execute function see()".formatted(table))
				.update();
		}
		new LedgerStore(schema).save(List.of(Parking.of("m-1").row()));
		assertThat(sql.sql("select setting from seen").query(String.class).list()).hasSize(2).containsOnly("on");
		LedgerTransactions transactions = new LedgerTransactions(schema);
		assertThat(transactions.<String>inTransaction(() -> synchronousCommit(JdbcClient.create(transactions.jdbc()))))
			.isEqualTo("on");
		sql.sql("alter database \"%s\" set synchronous_commit to remote_apply"
			.formatted(url.substring(url.lastIndexOf('/') + 1))).update();
		assertThat(transactions.<String>inTransaction(() -> synchronousCommit(JdbcClient.create(transactions.jdbc()))))
			.as("waits for more than the disk")
			.isEqualTo("remote_apply");
		assertThat(synchronousCommit(sql)).as("outside the ledger's transactions").isEqualTo("remote_apply");
	}

	@Test
	@Timeout(60)
	void locksOfAnInstanceThatStandsStillAreReleasedByPostgresql() throws Exception {
		DriverManagerDataSource dataSource = new DriverManagerDataSource(Database.shared().createDatabase(),
				Database.shared().username(), Database.shared().password());
		LedgerSchema schema = new LedgerSchema(dataSource, SchemaInitialization.ALWAYS);
		new LedgerStore(schema).save(List.of(Parking.of("m-1").row()));
		LedgerTransactions transactions = new LedgerTransactions(schema);
		MapSqlParameterSource none = new MapSqlParameterSource();
		String update = "update rabbit_retry_parked set attempt_count = attempt_count + 1";
		CountDownLatch locked = new CountDownLatch(1);
		CountDownLatch goesOn = new CountDownLatch(1);
		CompletableFuture<Integer> frozen = CompletableFuture.supplyAsync(() -> transactions.inTransaction(() -> {
			int updated = transactions.update(update, none);
			locked.countDown();
			awaitUninterruptibly(goesOn);
			return updated;
		}));
		assertThat(locked.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(transactions.update(update, none)).isOne();
		goesOn.countDown();
		assertThat(frozen).failsWithin(Duration.ofSeconds(10)).withThrowableOfType(ExecutionException.class);
		assertThat(JdbcClient.create(dataSource)
			.sql("select attempt_count from rabbit_retry_parked")
			.query(Integer.class)
			.single()).isEqualTo(Parking.of("m-1").row().attempts() + 1);
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String synchronousCommit(JdbcClient sql) {
		return sql.sql("show synchronous_commit").query(String.class).single();
	}

}
