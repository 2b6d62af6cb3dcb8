/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.chaos;

import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

import io.github.rabbitretry.database.Database;
import org.awaitility.Awaitility;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * The ledger's database on one of two servers, and what can happen to it.
 */
final class LedgerDatabase {

	static final int SOCKET_TIMEOUT = 3;

	private final String path;

	private final String url;

	private Database server;

	private Database other;

	private Connection lock;

	/**
	 * Creates an empty database.
	 * @param server where it is
	 * @param standby what can take the server's place
	 */
	LedgerDatabase(Database server, Database standby) {
		this.server = server;
		this.other = standby;
		this.path = address(server.createDatabase()).getPath();
		this.url = ("jdbc:postgresql://%s,%s%s?targetServerType=primary&hostRecheckSeconds=1"
				+ "&connectTimeout=%d&socketTimeout=%d")
			.formatted(authority(server), authority(standby), this.path, SOCKET_TIMEOUT, SOCKET_TIMEOUT);
	}

	private static URI address(String url) {
		return URI.create(url.substring("jdbc:".length()));
	}

	private static String authority(Database server) {
		return address(server.url()).getAuthority();
	}

	/** Leads to whichever of both is the primary. */
	String url() {
		return this.url;
	}

	String username() {
		return this.server.username();
	}

	String password() {
		return this.server.password();
	}

	/** The server that is the primary, whether it runs or not. */
	Database server() {
		return this.server;
	}

	/** Not the way that the application takes. */
	private DriverManagerDataSource dataSource() {
		return new DriverManagerDataSource("jdbc:postgresql://" + authority(this.server) + this.path, username(),
				password());
	}

	JdbcClient.StatementSpec sql(String sql) {
		return JdbcClient.create(dataSource()).sql(sql);
	}

	private void configure(String setting) {
		sql("alter system set " + setting).update();
		sql("select pg_reload_conf()").query().singleValue();
	}

	void readOnly(boolean readOnly) {
		configure("default_transaction_read_only = " + readOnly);
	}

	/**
	 * Has statements fail as they would without space on the disk. It is a trigger that
	 * says so: to fill a disk of its own needs root.
	 */
	void prepareDisk() {
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.ignoreExceptions()
			.until(() -> !sql("select version from rabbit_retry_schema").query().listOfRows().isEmpty());
		sql("create table chaos_full (yes boolean)").update();
		sql("""
				create function chaos_full() returns trigger language plpgsql as $$ begin
					if exists (select from chaos_full) then
						raise 'could not extend file: No space left on device' using errcode = 'disk_full';
					end if;
					return null;
				end $$""").update();
		sql("select tablename from pg_tables where tablename like 'rabbit_retry_%'").query(String.class)
			.list()
			.forEach((table) -> sql("create trigger chaos_full before insert or update on " + table
					+ " for each statement execute function chaos_full()")
				.update());
	}

	void full(boolean full) {
		sql(full ? "insert into chaos_full values (true)" : "delete from chaos_full").update();
	}

	void terminateConnections() {
		sql("select pg_terminate_backend(pid) from pg_stat_activity"
				+ " where datname = current_database() and pid <> pg_backend_pid()")
			.query()
			.listOfRows();
	}

	void lockTable() {
		try {
			this.lock = dataSource().getConnection();
			this.lock.setAutoCommit(false);
			try (Statement statement = this.lock.createStatement()) {
				statement.execute("lock table rabbit_retry_parked in access exclusive mode");
			}
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	void unlockTable() {
		try {
			this.lock.close();
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** What is committed from now on, the other server has written too. */
	void replicate() {
		this.other.follow(this.server);
		configure("synchronous_standby_names = '*'");
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.until(() -> sql("select count(*) from pg_stat_replication where sync_state = 'sync'").query(Long.class)
				.single() == 1);
	}

	/** The new primary does not know of a standby. */
	void promote() {
		Database old = this.server;
		this.server = this.other;
		this.other = old;
		sql("select pg_promote()").query().singleValue();
	}

}
