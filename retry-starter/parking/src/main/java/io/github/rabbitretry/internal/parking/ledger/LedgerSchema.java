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
import java.time.InstantSource;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

import javax.sql.DataSource;

import io.github.rabbitretry.internal.classify.CauseChain;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.support.EncodedResource;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.init.ScriptException;
import org.springframework.jdbc.datasource.init.ScriptUtils;

/**
 * The ledger's tables. Their version is in a table of its own, whoever created them: the
 * starter, Flyway, Liquibase or a person.
 */
public final class LedgerSchema {

	/** The version that this code needs. */
	static final int VERSION = 1;

	private static final int ATTEMPTS_WITHOUT_LOCK = 20;

	private static final String PROPERTY = "rabbit-retry.ledger.initialize-schema";

	/** H2's error code for a user who would have to be an administrator. */
	private static final int NO_ADMINISTRATOR = 90040;

	private static final Log logger = LogFactory.getLog(LedgerSchema.class);

	private final DataSource dataSource;

	private final SchemaInitialization mode;

	private final boolean inMemoryToo;

	private volatile boolean inMemory;

	private volatile @Nullable LedgerDialect dialect;

	private final DatabaseClock clock;

	private final LedgerHealth health = new LedgerHealth();

	/**
	 * Creates the keeper of the tables.
	 * @param dataSource leads to the database
	 * @param mode whether to create what is missing
	 */
	public LedgerSchema(DataSource dataSource, SchemaInitialization mode) {
		this(dataSource, mode, true);
	}

	/**
	 * Creates the keeper of the tables.
	 * @param dataSource leads to the database
	 * @param mode whether to create what is missing
	 * @param inMemoryToo whether to use a database that is gone with its process; else
	 * nothing is created there
	 */
	public LedgerSchema(DataSource dataSource, SchemaInitialization mode, boolean inMemoryToo) {
		this(dataSource, mode, inMemoryToo, InstantSource.system());
	}

	LedgerSchema(DataSource dataSource, SchemaInitialization mode, boolean inMemoryToo, InstantSource ofThisInstance) {
		this.dataSource = dataSource;
		this.mode = mode;
		this.inMemoryToo = inMemoryToo;
		this.clock = new DatabaseClock(ofThisInstance);
	}

	/**
	 * Creates or verifies the tables, if the database can be reached; else the first
	 * successful connection does.
	 * @throws InvalidConfigurationException if the ledger does not support the database,
	 * or its tables are missing, can't be created or have another version
	 */
	public void prepare() {
		try {
			initialized();
		}
		catch (UnusedLedgerException ex) {
			logger.debug("The ledger is not used", ex);
		}
		catch (DataAccessResourceFailureException ex) {
			logger.warn("The ledger's database can't be used now; parked messages wait in their queues: "
					+ ex.getMessage());
		}
	}

	/**
	 * Transactions in the database, for those who keep more than the ledger in it.
	 * @return transactions; each fails with a {@link DataAccessException} if the database
	 * can't be reached, or is not as {@link #prepare()} demands
	 */
	public LedgerTransactions transactions() {
		return new LedgerTransactions(this.dataSource, this);
	}

	/**
	 * The database's clock, as far as this instance can tell without asking each time.
	 * @return the clock that what is stored, and what is compared with it, comes from
	 */
	public InstantSource clock() {
		return this.clock;
	}

	DatabaseClock databaseClock() {
		return this.clock;
	}

	/**
	 * What keeps parked messages from the ledger.
	 * @return the problems at the moment
	 */
	public LedgerHealth health() {
		return this.health;
	}

	/**
	 * Creates or verifies the tables, unless that was done.
	 * @return which database it is
	 * @throws DataAccessResourceFailureException if the database can't be reached
	 * @throws InvalidDataAccessResourceUsageException if it is not as {@link #prepare()}
	 * demands, which is found this late if it could not be reached before
	 */
	LedgerDialect ready() {
		LedgerDialect known = this.dialect;
		if (known != null) {
			return known;
		}
		try {
			return initialized();
		}
		catch (InvalidConfigurationException ex) {
			this.health.unavailable(ex);
			throw new InvalidDataAccessResourceUsageException(String.valueOf(ex.getMessage()), ex);
		}
	}

	private synchronized LedgerDialect initialized() {
		LedgerDialect known = this.dialect;
		if (known != null) {
			return known;
		}
		try (Connection connection = this.dataSource.getConnection()) {
			LedgerDialect found = LedgerDialect.of(connection)
				.orElseThrow(() -> new InvalidConfigurationException("rabbit-retry.ledger.enabled", true,
						"needs PostgreSQL or H2, and the DataSource leads to another database",
						"Set it to false, or name another DataSource with rabbit-retry.ledger.data-source."));
			this.inMemory = found.inMemory(connection);
			if (unused()) {
				throw new UnusedLedgerException();
			}
			if (!this.inMemory) {
				writeAtOnce(connection, found);
			}
			initialize(connection, found);
			// before anything that goes by the clock, such as the first deletion
			measureClock(connection);
			this.dialect = found;
			return found;
		}
		catch (SQLException ex) {
			this.health.unavailable(ex);
			throw new DataAccessResourceFailureException(String.valueOf(ex.getMessage()), ex);
		}
	}

	private void measureClock(Connection connection) throws SQLException {
		try {
			this.clock.measure(new JdbcTemplate(new SingleConnectionDataSource(connection, true)));
		}
		catch (DataAccessException ex) {
			throw new SQLException("The database can't say what time it is", ex);
		}
	}

	/**
	 * Whether the database is not used, as it is known to be gone with its process.
	 * @return whether there is no ledger
	 */
	public boolean unused() {
		return this.inMemory && !this.inMemoryToo;
	}

	/** Whether the database is known to be gone with the process. */
	boolean inMemory() {
		return this.inMemory;
	}

	private static void writeAtOnce(Connection connection, LedgerDialect found) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			if (found.writeAtOnce().isPresent()) {
				statement.execute(found.writeAtOnce().get());
			}
		}
		catch (SQLException ex) {
			if (ex.getErrorCode() == NO_ADMINISTRATOR) {
				throw new InvalidConfigurationException("rabbit-retry.ledger.enabled", true,
						"needs commits that are written at once, and this user of H2 may not set WRITE_DELAY",
						"Make the DataSource's user an administrator of its H2, or set it to false.");
			}
			throw ex;
		}
	}

	private void initialize(Connection connection, LedgerDialect found) throws SQLException {
		boolean autoCommit = connection.getAutoCommit();
		connection.setAutoCommit(false);
		try {
			if (version(connection, found) < VERSION && creates(connection, found)) {
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
			for (int next = version(connection, found) + 1; next <= VERSION; next++) {
				apply(connection, found, next);
			}
		}
		catch (ScriptException ex) {
			throw invalid("can't create the ledger's tables: " + CauseChain.root(ex).getMessage(),
					"Grant the right to create tables, or apply %s yourself and set it to never."
						.formatted(found.script(VERSION)));
		}
	}

	/**
	 * Without a lock two instances can make the same table at the same time, and one of
	 * them fails. Each time the script finds more that is there.
	 */
	private static void apply(Connection connection, LedgerDialect found, int version) throws SQLException {
		EncodedResource script = new EncodedResource(new ClassPathResource(found.script(version)),
				StandardCharsets.UTF_8);
		for (int attempt = found.lock().isPresent() ? ATTEMPTS_WITHOUT_LOCK : 1;; attempt++) {
			try {
				ScriptUtils.executeSqlScript(connection, script);
				return;
			}
			catch (ScriptException ex) {
				if (attempt >= ATTEMPTS_WITHOUT_LOCK) {
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
			throw invalid("finds version %d of the ledger's tables, but not %s".formatted(VERSION, missing),
					"Restore what is missing, see classpath:%s; or give this user a right on it."
						.formatted(found.script(VERSION)));
		}
	}

	private void verify(int version, LedgerDialect found) {
		if (version > VERSION) {
			throw invalid("expects version %d of the ledger's tables and finds version %d".formatted(VERSION, version),
					"Deploy a build that knows version %d, or restore the tables of version %d.".formatted(version,
							VERSION));
		}
		if (version < VERSION) {
			throw invalid(
					"expects version %d of the ledger's tables and finds %s, and creates none in this %s"
						.formatted(VERSION, (version == 0) ? "none" : "version " + version, found.product()),
					"Set it to always; or apply classpath:%s, by hand or by Flyway with the location classpath:%s."
						.formatted(found.script(VERSION), found.location()));
		}
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
