/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import io.github.rabbitretry.internal.parking.mapping.ParkedRecord;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import io.github.rabbitretry.parking.message.ParkedFilter;
import org.awaitility.Awaitility;
import org.h2.jdbcx.JdbcDataSource;
import org.h2.tools.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The message is acknowledged once its row is committed, so a commit must outlive the
 * process.
 */
class H2FileLedgerTests {

	@TempDir
	private Path folder;

	@Test
	void aStoredMessageIsInTheFileAtOnceForAProcessThatIsKilled() throws IOException, SQLException {
		// one connection stays open, as a pool's does: closing the last one writes all
		try (Connection open = database("ledger").getConnection()) {
			LedgerSchema schema = new LedgerSchema(database("ledger"), SchemaInitialization.ALWAYS);
			LedgerStore store = new LedgerStore(schema);
			for (int message = 0; message < 20; message++) {
				store.save(List.of(Parking.of("m-" + message).row()));
				assertThat(foundAfterACrash(message)).isEqualTo(message + 1);
			}
			assertThat(open.isClosed()).isFalse();
		}
	}

	@Test
	void soItIsAfterTheDatabaseWasClosedAndOpenedAgain() throws IOException, SQLException {
		LedgerSchema schema = new LedgerSchema(database("ledger"), SchemaInitialization.ALWAYS);
		LedgerStore store = new LedgerStore(schema);
		store.save(List.of(Parking.of("m-0").row()));
		try (Connection open = database("ledger").getConnection()) {
			store.save(List.of(Parking.of("m-1").row()));
			assertThat(foundAfterACrash(0)).isEqualTo(2);
			assertThat(open.isClosed()).isFalse();
		}
	}

	@Test
	void tablesAreCreatedInAFileByDefaultAndOnAServerOnlyIfAskedFor() throws SQLException {
		new LedgerSchema(database("ledger"), SchemaInitialization.EMBEDDED).prepare();
		Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
		try {
			JdbcDataSource remote = new JdbcDataSource();
			remote.setUrl("jdbc:h2:tcp://127.0.0.1:%d/%s".formatted(server.getPort(), this.folder.resolve("remote")));
			remote.setUser("sa");
			assertThatExceptionOfType(InvalidConfigurationException.class)
				.isThrownBy(new LedgerSchema(remote, SchemaInitialization.EMBEDDED)::prepare)
				.withMessageContaining("creates none in this H2")
				.withMessageContaining("schema/common/V1__rabbit_retry_ledger.sql");
			new LedgerSchema(remote, SchemaInitialization.ALWAYS).prepare();
			new LedgerSchema(remote, SchemaInitialization.EMBEDDED).prepare();
		}
		finally {
			server.stop();
		}
	}

	@Test
	void aStartThatWasKilledHalfwayIsTakenUpByTheNext() throws SQLException {
		try (Connection killed = database("ledger").getConnection(); Statement statement = killed.createStatement()) {
			statement.execute("create table rabbit_retry_schema (version int primary key, "
					+ "applied_at timestamp with time zone not null default current_timestamp)");
			statement.execute("create sequence rabbit_retry_parked_id cache 100");
		}
		LedgerSchema schema = new LedgerSchema(database("ledger"), SchemaInitialization.EMBEDDED);
		new LedgerStore(schema).save(List.of(Parking.of("m-0").row()));
		assertThat(new JdbcLedger(schema).count(ParkedFilter.ALL)).isOne();
	}

	@Test
	void aUserWhoMayNotSeeToThatStopsTheStart() throws SQLException {
		try (Connection administrator = database("ledger").getConnection();
				Statement statement = administrator.createStatement()) {
			statement.execute("create user worker password 'w'");
			JdbcDataSource worker = database("ledger");
			worker.setUser("worker");
			worker.setPassword("w");
			LedgerSchema schema = new LedgerSchema(worker, SchemaInitialization.ALWAYS);
			assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(schema::prepare)
				.withMessageContaining("may not set WRITE_DELAY")
				.withMessageContaining("administrator");
		}
	}

	@Test
	void afterItsDiskWasFullTheLedgerIsWrittenAgainThroughTheSamePool() {
		FullDisk.register();
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl("jdbc:h2:full:" + this.folder.resolve("ledger"));
			pool.setUsername("sa");
			pool.setMaximumPoolSize(3);
			LedgerSchema schema = new LedgerSchema(pool, SchemaInitialization.ALWAYS);
			LedgerStore store = new LedgerStore(schema);
			store.save(List.of(Parking.of("m-0").row()));
			FullDisk.full(true);
			assertThatExceptionOfType(DataAccessException.class)
				.isThrownBy(() -> store.save(List.of(Parking.of("m-1").row())));
			FullDisk.full(false);
			Awaitility.await()
				.atMost(Duration.ofSeconds(10))
				.ignoreExceptions()
				.until(() -> store.save(List.of(Parking.of("m-1").row())).isEmpty());
			assertThat(new JdbcLedger(schema).count(ParkedFilter.ALL)).isEqualTo(2);
		}
		finally {
			FullDisk.full(false);
		}
	}

	@Test
	void nothingIsStoredWhileItsDiskIsNearlyFullAndHealthSaysSo() {
		AtomicLong left = new AtomicLong(Long.MAX_VALUE);
		List<Path> asked = new CopyOnWriteArrayList<>();
		LedgerSchema schema = new LedgerSchema(database("ledger"), SchemaInitialization.ALWAYS, true,
				InstantSource.system(), new DiskSpace((folder) -> {
					asked.add(folder);
					return left.get();
				}));
		LedgerStore store = new LedgerStore(schema);
		store.save(List.of(Parking.of("m-0").row()));
		left.set(DataSize.ofMegabytes(63).toBytes());
		assertThatExceptionOfType(DataAccessResourceFailureException.class)
			.isThrownBy(() -> store.save(List.of(Parking.of("m-1").row())));
		assertThat(schema.health().problems()).singleElement()
			.satisfies((problem) -> assertThat(problem.detail()).contains("63 MB are left in " + this.folder,
					"needs 64 MB"));
		left.set(DataSize.ofMegabytes(64).toBytes());
		store.save(List.of(Parking.of("m-1").row()));
		assertThat(schema.health().problems()).isEmpty();
		assertThat(new JdbcLedger(schema).count(ParkedFilter.ALL)).isEqualTo(2);
		assertThat(asked).containsOnly(this.folder);
	}

	@Test
	void aFileWhoseDiskIsNearlyFullIsNotOpenedUntilThereIsSpace() {
		AtomicLong left = new AtomicLong();
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl("jdbc:h2:file:" + this.folder.resolve("data/ledger") + ";DB_CLOSE_ON_EXIT=FALSE");
			pool.setUsername("sa");
			LedgerSchema schema = new LedgerSchema(pool, SchemaInitialization.ALWAYS, true, InstantSource.system(),
					new DiskSpace((folder) -> left.get()));
			schema.prepare();
			assertThat(this.folder).isEmptyDirectory();
			assertThat(schema.health().problems()).singleElement()
				.satisfies((problem) -> assertThat(problem.detail()).contains("0 MB are left in " + this.folder));
			left.set(Long.MAX_VALUE);
			new LedgerStore(schema).save(List.of(Parking.of("m-0").row()));
			assertThat(schema.health().problems()).isEmpty();
		}
	}

	@ParameterizedTest
	@CsvSource({ "jdbc:h2:file:/tmp/ledger, /tmp", "jdbc:h2:nio:/tmp/no/such/folder/ledger;A=B, /tmp",
			"jdbc:h2:split:26:file:/tmp/ledger, /tmp", "jdbc:h2:~/ledger, ~", "jdbc:h2:file:~/ledger, ~",
			"jdbc:h2:./ledger, .", "jdbc:h2:mem:/tmp/ledger,", "jdbc:h2:memFS:/tmp/ledger,",
			"jdbc:h2:tcp://localhost/tmp/ledger,", "jdbc:postgresql://localhost/ledger," })
	void theFolderIsKnownBeforeTheFileIsOpened(String url, String folder) {
		assertThat(LedgerDialect.folderOf(url)).isEqualTo(Optional.ofNullable(folder)
			.map((path) -> Path.of(path.replace("~", System.getProperty("user.home"))).toAbsolutePath()));
	}

	/** H2 writes a page for each random key of an index on the rows that change. */
	@Test
	void aThousandReplayedMessagesGrowTheFileByMegabytesNotByTensOfThem() throws IOException, SQLException {
		try (Connection open = database("ledger").getConnection()) {
			LedgerSchema schema = new LedgerSchema(database("ledger"), SchemaInitialization.ALWAYS);
			LedgerStore store = new LedgerStore(schema);
			for (int batch = 0; batch < 20; batch++) {
				store.save(Stream.generate(H2FileLedgerTests::withRandomIds).limit(200).toList());
			}
			LedgerTransactions transactions = new LedgerTransactions(schema);
			List<Long> ids = transactions.jdbc()
				.queryForList("select id from rabbit_retry_parked order by id", Map.of(), Long.class);
			long before = Files.size(this.folder.resolve("ledger.mv.db"));
			for (int from = 0; from < 1000; from += 100) {
				transactions.update("update rabbit_retry_parked set state = 'REPLAYED' where id in (:ids)",
						new MapSqlParameterSource("ids", ids.subList(from, from + 100)));
			}
			assertThat(Files.size(this.folder.resolve("ledger.mv.db")) - before)
				.isLessThan(DataSize.ofMegabytes(3).toBytes());
			assertThat(open.isClosed()).isFalse();
		}
	}

	private static ParkedRecord withRandomIds() {
		return Parking.of(UUID.randomUUID().toString())
			.correlationId(UUID.randomUUID().toString())
			.header("aggregate-id", UUID.randomUUID().toString())
			.row();
	}

	private long foundAfterACrash(int crash) throws IOException, SQLException {
		String copy = "crashed-" + crash;
		Files.copy(this.folder.resolve("ledger.mv.db"), this.folder.resolve(copy + ".mv.db"));
		JdbcDataSource crashed = database(copy);
		return new JdbcLedger(new LedgerSchema(crashed, SchemaInitialization.NEVER)).count(ParkedFilter.ALL);
	}

	private JdbcDataSource database(String name) {
		JdbcDataSource dataSource = new JdbcDataSource();
		dataSource.setUrl("jdbc:h2:file:" + this.folder.resolve(name));
		dataSource.setUser("sa");
		return dataSource;
	}

}
