/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * What differs between the databases.
 */
enum LedgerDialect {

	/**
	 * Commits of PostgreSQL that do not wait for the disk are lost in a crash. Other
	 * settings that wait for more than "on" does are kept. An instance that stands still
	 * in the middle of a transaction would keep its locks for as long as its connection
	 * lives, hours perhaps, and every other instance would wait for them.
	 */
	POSTGRESQL("PostgreSQL", """
			select set_config('idle_in_transaction_session_timeout', '60s', true);
			select set_config('lock_timeout', '60s', true) where current_setting('lock_timeout') = '0';
			select pg_advisory_xact_lock(7421580273645519)""", null, """
			select set_config('idle_in_transaction_session_timeout', '10s', true);
			""" + LedgerDialect.WAIT_FOR_DISK, """
			select set_config('enable_nestloop', 'off', true);
			select set_config('lock_timeout', '30s', true) where current_setting('lock_timeout') = '0';
			select set_config('statement_timeout', '10min', true) where current_setting('statement_timeout') = '0'"""),

	H2("H2", null, "set write_delay 0", "set write_delay 0", null);

	/** File systems of H2 that are in memory, perhaps below others such as split. */
	private static final Pattern IN_MEMORY = Pattern.compile("(?:^|:)(?:nio)?mem(?:fs|lzf):", Pattern.CASE_INSENSITIVE);

	/** What names file systems of H2, not a drive. */
	private static final Pattern FILE_SYSTEMS = Pattern.compile("^(?:[A-Za-z0-9]{2,}:)+");

	/** URLs of H2 that lead to a server. */
	private static final Pattern REMOTE = Pattern.compile("^jdbc:h2:(?:tcp|ssl):", Pattern.CASE_INSENSITIVE);

	/** URLs of H2 that lead to no server, and not into memory. */
	private static final Pattern H2_FILE = Pattern
		.compile("^jdbc:h2:(?!(?:tcp|ssl):|(?:[^;]*:)?(?:nio)?mem(?:fs|lzf)?:)([^;]+)", Pattern.CASE_INSENSITIVE);

	/**
	 * In PostgreSQL, for the current transaction; a setting that waits for more is kept.
	 */
	private static final String WAIT_FOR_DISK = """
			select set_config('synchronous_commit', 'on', true)
			where current_setting('synchronous_commit') in ('off', 'local', 'remote_write')""";

	private static final String SCHEMA = "io/github/rabbitretry/parking/schema";

	private final String product;

	private final @Nullable String lock;

	private final @Nullable String writeAtOnce;

	private final String durableCommit;

	private final @Nullable String selecting;

	LedgerDialect(String product, @Nullable String lock, @Nullable String writeAtOnce, String durableCommit,
			@Nullable String selecting) {
		this.product = product;
		this.lock = lock;
		this.writeAtOnce = writeAtOnce;
		this.durableCommit = durableCommit;
		this.selecting = selecting;
	}

	static Optional<LedgerDialect> of(Connection connection) throws SQLException {
		String product = connection.getMetaData().getDatabaseProductName();
		return Arrays.stream(values()).filter((dialect) -> dialect.product.equals(product)).findFirst();
	}

	/**
	 * Whether what is committed is gone with the process of the database. The database is
	 * asked: its URL may be that of a server that holds it in memory.
	 */
	boolean inMemory(Connection connection) throws SQLException {
		if (this != H2) {
			return false;
		}
		String path = path(connection);
		return path == null || IN_MEMORY.matcher(path).find();
	}

	private static @Nullable String path(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery("select database_path()")) {
			rows.next();
			return rows.getString(1);
		}
	}

	/** Where the file is of a database that runs in this process and is not in memory. */
	Optional<Path> folder(Connection connection) throws SQLException {
		if (!embedded(connection) || inMemory(connection)) {
			return Optional.empty();
		}
		String path = FILE_SYSTEMS.matcher(String.valueOf(path(connection))).replaceFirst("");
		return Optional.ofNullable(Path.of(path).getParent());
	}

	/**
	 * Where the file of a database is that is not open yet, or what there is above it.
	 */
	static Optional<Path> folderOf(String url) {
		Matcher file = H2_FILE.matcher(url);
		if (!file.find()) {
			return Optional.empty();
		}
		String path = FILE_SYSTEMS.matcher(file.group(1))
			.replaceFirst("")
			.replaceFirst("^~", Matcher.quoteReplacement(System.getProperty("user.home")));
		return Stream.iterate(Path.of(path).toAbsolutePath().getParent(), Objects::nonNull, Path::getParent)
			.filter(Files::exists)
			.findFirst();
	}

	/**
	 * Whether the database runs in this process, in memory or in a file. Spring Boot
	 * counts only those in memory, which the ledger does not use unless configured to.
	 */
	boolean embedded(Connection connection) throws SQLException {
		return this == H2 && !REMOTE.matcher(connection.getMetaData().getURL()).find();
	}

	/**
	 * The ledger's tables that statements find without naming a schema, which may be in
	 * several ones.
	 * @param connection leads to the database
	 * @return their names in lower case
	 */
	Set<String> tables(Connection connection) throws SQLException {
		Set<String> names = new HashSet<>();
		if (this == POSTGRESQL) {
			try (Statement statement = connection.createStatement();
					ResultSet rows = statement.executeQuery(
							"select relname from pg_class where relname like 'rabbit\\_retry\\_%' and pg_table_is_visible(oid)")) {
				while (rows.next()) {
					names.add(rows.getString(1));
				}
			}
			return names;
		}
		// not by its name, in which an underscore would stand for any character
		try (ResultSet rows = connection.getMetaData()
			.getTables(connection.getCatalog(), null, null, new String[] { "TABLE", "BASE TABLE" })) {
			while (rows.next()) {
				if (rows.getString("TABLE_SCHEM").equals(connection.getSchema())) {
					names.add(rows.getString("TABLE_NAME").toLowerCase(Locale.ROOT));
				}
			}
		}
		return names;
	}

	/** The tables that a ledger can't do without. */
	Set<String> needed() {
		Set<String> names = new HashSet<>(Set.of("rabbit_retry_schema", "rabbit_retry_failure_kind",
				"rabbit_retry_parked", "rabbit_retry_parked_content", "rabbit_retry_selection", "rabbit_retry_audit",
				"rabbit_retry_replay_job", "rabbit_retry_replay_item", "rabbit_retry_replay_edit",
				"rabbit_retry_handled"));
		if (keepsCounts()) {
			names.add("rabbit_retry_parked_count");
		}
		return names;
	}

	/**
	 * The statement that keeps other instances from creating the tables, until the
	 * transaction ends.
	 */
	Optional<String> lock() {
		return Optional.ofNullable(this.lock);
	}

	/**
	 * Whether a row that another transaction refers to is kept from deletion. H2 lets it
	 * be deleted until that transaction is committed (seen with 2.4.240).
	 */
	boolean locksReferences() {
		return this == POSTGRESQL;
	}

	/** Whether triggers count the rows of each kind and state. */
	boolean keepsCounts() {
		return this == POSTGRESQL;
	}

	/**
	 * The statement that makes a commit return only when it is written, for as long as
	 * the database is open. H2 writes up to half a second later by default, and what a
	 * process had committed by then is gone with it (seen with 2.4.240).
	 */
	Optional<String> writeAtOnce() {
		return Optional.ofNullable(this.writeAtOnce);
	}

	/**
	 * The statement at the beginning of a transaction whose commit has to outlive a
	 * crash. Said each time: H2 forgets it when its last connection is closed, and
	 * PostgreSQL when the transaction ends.
	 * @param inMemory whether nothing outlives a crash in any case
	 */
	Optional<String> durableCommit(boolean inMemory) {
		return inMemory ? Optional.empty() : Optional.of(this.durableCommit);
	}

	/**
	 * The statement before those that select messages, for the rest of the transaction.
	 * PostgreSQL plans by statistics that an act on many messages has just made wrong:
	 * where it believes that nothing is in a state, it looks at all that is there once
	 * for each message. Without nested loops no statement takes long by its plan. One
	 * that does all the same ends, whether or not its result is still awaited.
	 */
	Optional<String> selecting() {
		return Optional.ofNullable(this.selecting);
	}

	/**
	 * The statement that marks a message of a queue as handled, if it is not yet. A
	 * failed statement would end PostgreSQL's transaction. There it also has the commit
	 * outlive a crash, since a message is acknowledged after it: in one statement, which
	 * is one round trip for each message.
	 */
	String insertHandled() {
		return (this == POSTGRESQL)
				? """
						with durable as (%s)
						insert into rabbit_retry_handled (queue, message_id) select ?, ? from (select count(*) from durable) said
						on conflict do nothing"""
					.formatted(WAIT_FOR_DISK)
				: "insert into rabbit_retry_handled (queue, message_id) values (?, ?)";
	}

	/**
	 * Whether an insert waits for as long as another transaction has a row of the same
	 * key, so that its wait has to be bounded. H2 waits shortly by itself.
	 */
	boolean waitsForRows() {
		return this == POSTGRESQL;
	}

	/**
	 * Whether the newest rows are to be looked for kind by kind and state by state, from
	 * an index alone. Left to itself, PostgreSQL walks from the newest row to older ones
	 * until enough match: through the whole table if those that match are old.
	 */
	boolean searchesByKind() {
		return this == POSTGRESQL;
	}

	/** Where the scripts are, on the class path; what Flyway takes as a location. */
	String location() {
		return (this == POSTGRESQL) ? SCHEMA : SCHEMA + "/common";
	}

	/** The scripts that create the tables, in their order. */
	List<String> scripts() {
		String common = SCHEMA + "/common/V1__rabbit_retry_ledger.sql";
		return (this == POSTGRESQL) ? List.of(common, SCHEMA + "/postgresql/V1_1__rabbit_retry_ledger_counts.sql")
				: List.of(common);
	}

	String product() {
		return this.product;
	}

}
