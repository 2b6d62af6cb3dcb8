/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;

import javax.sql.DataSource;

import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * The ledger's database: whether it can be used, and what keeps it from that.
 */
public final class LedgerSchema {

	/** H2's error code for a user who would have to be an administrator. */
	private static final int NO_ADMINISTRATOR = 90040;

	private static final Log logger = LogFactory.getLog(LedgerSchema.class);

	private final DataSource dataSource;

	private final LedgerTables tables;

	private final boolean inMemoryToo;

	private volatile boolean inMemory;

	private volatile @Nullable LedgerDialect dialect;

	private final DatabaseClock clock;

	private final DiskSpace space;

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
		this(dataSource, mode, inMemoryToo, InstantSource.system(), new DiskSpace(DiskSpace::usable));
	}

	LedgerSchema(DataSource dataSource, SchemaInitialization mode, boolean inMemoryToo, InstantSource ofThisInstance,
			DiskSpace space) {
		this.dataSource = dataSource;
		this.tables = new LedgerTables(mode);
		this.inMemoryToo = inMemoryToo;
		this.clock = new DatabaseClock(ofThisInstance);
		this.space = space;
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
	 * The ledger's database.
	 * @return what leads to it
	 */
	public DataSource dataSource() {
		return this.dataSource;
	}

	/**
	 * The database's clock, as far as this instance can tell without asking each time.
	 * @return the clock that what is stored, and what is compared with it, comes from
	 */
	public InstantSource clock() {
		return this.clock;
	}

	DiskSpace space() {
		return this.space;
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
		requireSpaceToOpen();
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
				found.folder(connection).ifPresent(this.space::of);
			}
			this.tables.prepare(connection, found);
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

	/** H2 writes to its file when it opens it. */
	private void requireSpaceToOpen() {
		UselessConnections.url(this.dataSource).flatMap(LedgerDialect::folderOf).ifPresent(this.space::of);
		try {
			this.space.require();
		}
		catch (DataAccessResourceFailureException ex) {
			this.health.unavailable(ex);
			throw ex;
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

	/**
	 * Whether the database is known to be gone with the process.
	 * @return whether it is in memory
	 */
	public boolean inMemory() {
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

	/** There is no ledger, since its database would be gone with its process. */
	public static final class UnusedLedgerException extends DataAccessResourceFailureException {

		private static final long serialVersionUID = 1L;

		public UnusedLedgerException() {
			super("The DataSource is an in-memory database: parked messages stay in their queues."
					+ " Use one that keeps its data, such as H2 with"
					+ " spring.datasource.url: jdbc:h2:file:./data/rabbit-retry;DB_CLOSE_ON_EXIT=FALSE, or set rabbit-retry.ledger.enabled to true to have them in memory all the same.");
		}

	}

}
