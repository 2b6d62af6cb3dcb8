/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.classify.CauseChain;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.support.EncodedResource;
import org.springframework.jdbc.datasource.init.ScriptException;
import org.springframework.jdbc.datasource.init.ScriptUtils;

/**
 * The ledger's tables. Their version is in a table of its own, whether the starter,
 * Flyway, Liquibase or a person created them.
 */
final class LedgerTables {

	/** The version that this code needs. */
	static final int VERSION = 1;

	private static final int ATTEMPTS_WITHOUT_LOCK = 20;

	private static final String PROPERTY = "rabbit-retry.ledger.initialize-schema";

	private static final Log logger = LogFactory.getLog(LedgerTables.class);

	/** Of the operations application: no service needs it. */
	private static final String SERVICES = "rabbit_retry_service";

	private final SchemaInitialization mode;

	LedgerTables(SchemaInitialization mode) {
		this.mode = mode;
	}

	/**
	 * Creates or verifies the tables.
	 * @param connection leads to the database, as it was when this returns
	 * @param found which database it is
	 * @throws InvalidConfigurationException if the tables are missing, can't be created
	 * or have another version
	 * @throws SQLException if the database fails
	 */
	void prepare(Connection connection, LedgerDialect found) throws SQLException {
		boolean autoCommit = connection.getAutoCommit();
		connection.setAutoCommit(false);
		try {
			if (lacks(connection, found) && creates(connection, found)) {
				create(connection, found);
			}
			verify(version(connection, found), found);
			complete(connection, found);
			connection.commit();
		}
		finally {
			try {
				connection.rollback();
				connection.setAutoCommit(autoCommit);
			}
			catch (SQLException ex) {
				logger.debug("The connection to the ledger's database broke", ex);
			}
		}
	}

	/** The script adds what an earlier build of the same version did not have. */
	private static boolean lacks(Connection connection, LedgerDialect found) throws SQLException {
		int version = version(connection, found);
		return version < VERSION || (version == VERSION && !found.tables(connection).contains(SERVICES));
	}

	private boolean creates(Connection connection, LedgerDialect found) throws SQLException {
		return switch (this.mode) {
			case ALWAYS -> true;
			case EMBEDDED -> found.embedded(connection);
			case NEVER -> false;
		};
	}

	private void create(Connection connection, LedgerDialect found) throws SQLException {
		try {
			if (found.lock().isPresent()) {
				try (Statement statement = connection.createStatement()) {
					statement.execute(found.lock().get());
				}
			}
			// another instance may have done it meanwhile
			if (lacks(connection, found)) {
				apply(connection, found);
			}
		}
		catch (ScriptException ex) {
			throw invalid("can't create the ledger's tables: " + CauseChain.root(ex).getMessage(),
					"Grant the right to create tables, or apply %s yourself and set it to never."
						.formatted(scripts(found)));
		}
	}

	/**
	 * Without a lock two instances can make the same table at the same time, and one of
	 * them fails. Each time the script finds more that is there.
	 */
	private static void apply(Connection connection, LedgerDialect found) throws SQLException {
		for (int attempt = 1;; attempt++) {
			try {
				for (String script : found.scripts()) {
					ScriptUtils.executeSqlScript(connection,
							new EncodedResource(new ClassPathResource(script), StandardCharsets.UTF_8));
				}
				return;
			}
			catch (ScriptException ex) {
				if (found.lock().isPresent() || attempt == ATTEMPTS_WITHOUT_LOCK) {
					throw ex;
				}
				connection.rollback();
			}
		}
	}

	private void complete(Connection connection, LedgerDialect found) throws SQLException {
		Set<String> missing = new TreeSet<>(found.needed());
		missing.removeAll(found.tables(connection));
		if (!missing.isEmpty()) {
			throw invalid("finds version %s of the ledger's tables, but not %s".formatted(VERSION, missing),
					"Restore what is missing, see %s; or give this user a right on it.".formatted(scripts(found)));
		}
	}

	private void verify(int version, LedgerDialect found) {
		if (version > VERSION) {
			throw invalid("expects version %s of the ledger's tables and finds version %s".formatted(VERSION, version),
					"Deploy a build that knows version %s, or restore the tables of version %s.".formatted(version,
							VERSION));
		}
		if (version < VERSION) {
			throw invalid(
					"expects version %s of the ledger's tables and finds %s, and creates none in this %s"
						.formatted(VERSION, (version == 0) ? "none" : "version " + version, found.product()),
					"Set it to always; or apply %s, by hand or by Flyway with the location classpath:%s."
						.formatted(scripts(found), found.location()));
		}
	}

	private static String scripts(LedgerDialect found) {
		return found.scripts().stream().map("classpath:"::concat).collect(Collectors.joining(" and "));
	}

	private InvalidConfigurationException invalid(String relation, String remedy) {
		return new InvalidConfigurationException(PROPERTY, this.mode.name().toLowerCase(Locale.ROOT), relation, remedy);
	}

	private static int version(Connection connection, LedgerDialect found) throws SQLException {
		if (!found.tables(connection).contains("rabbit_retry_schema")) {
			return 0;
		}
		try (Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery("select max(version) from rabbit_retry_schema")) {
			rows.next();
			return rows.getInt(1);
		}
	}

}
