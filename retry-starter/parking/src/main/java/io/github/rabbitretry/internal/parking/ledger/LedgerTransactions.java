/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.github.rabbitretry.internal.classify.CauseChain;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.jdbc.core.namedparam.EmptySqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Explicit transactions in the ledger's database. Whatever is written is written in one
 * of them: with a connection pool whose connections do not commit automatically, a
 * statement outside a transaction is rolled back. What they commit outlives a crash of
 * the database, since a message is acknowledged, or an act reported, after the commit.
 */
public class LedgerTransactions {

	private final LedgerSchema schema;

	private final NamedParameterJdbcTemplate jdbc;

	private final TransactionTemplate template;

	/**
	 * Creates transactions on the ledger's own data source.
	 * @param schema the ledger's tables
	 */
	public LedgerTransactions(LedgerSchema schema) {
		DataSource dataSource = schema.dataSource();
		this.schema = schema;
		this.jdbc = new NamedParameterJdbcTemplate(UselessConnections.template(dataSource));
		this.template = new TransactionTemplate(new JdbcTransactionManager(dataSource));
	}

	/**
	 * For queries, and for statements in {@link #execute}. The tables are there, or this
	 * fails as {@link LedgerSchema#prepare()} does.
	 * @return the template
	 */
	public final NamedParameterJdbcTemplate jdbc() {
		this.schema.ready();
		return this.jdbc;
	}

	/**
	 * Runs something in the current transaction or, if there is none, in a new one.
	 * @param <T> the type of the result
	 * @param work what to do
	 * @return its result
	 * @throws DataAccessResourceFailureException if no transaction can be begun, or it is
	 * not known whether it was committed
	 */
	public final <T> T inTransaction(Supplier<T> work) {
		LedgerDialect dialect = this.schema.ready();
		try {
			T result = Objects.requireNonNull(this.template.execute((status) -> {
				if (status.isNewTransaction()) {
					begin(dialect);
				}
				return work.get();
			}), "a transaction has a result");
			this.schema.health().solved(LedgerHealth.UNAVAILABLE);
			return result;
		}
		catch (TransactionException ex) {
			CauseChain.find(ex, SQLException.class)
				.ifPresent((cause) -> UselessConnections.evict(this.schema.dataSource(), cause));
			this.schema.health().unavailable(ex);
			throw new DataAccessResourceFailureException(String.valueOf(CauseChain.root(ex).getMessage()), ex);
		}
		catch (NonTransientDataAccessResourceException | TransientDataAccessResourceException
				| RecoverableDataAccessException ex) {
			this.schema.health().unavailable(ex);
			throw ex;
		}
	}

	private void begin(LedgerDialect dialect) {
		this.schema.space().require();
		dialect.durableCommit(this.schema.inMemory()).ifPresent(this.jdbc.getJdbcOperations()::execute);
		this.schema.databaseClock().measure(this.jdbc.getJdbcOperations());
	}

	/**
	 * Executes a statement that changes something.
	 * @param sql the statement
	 * @param parameters its parameters
	 * @return how many rows were changed
	 * @throws DataAccessException if that fails
	 */
	public final int update(String sql, SqlParameterSource parameters) {
		return inTransaction(() -> this.jdbc.update(sql, parameters));
	}

	/**
	 * Has the statements of this transaction that select messages end soon, whatever the
	 * database knows of the messages, and end with an exception if they don't. To be
	 * called in a transaction.
	 */
	protected final void prepareSelections() {
		this.schema.ready().selecting().ifPresent(this.jdbc.getJdbcOperations()::execute);
	}

	/**
	 * Has others who select messages, to do something with them or to delete them, wait
	 * until this transaction ends. To be called in a transaction, before it selects any:
	 * what they selected before is seen then.
	 */
	public final void lockSelections() {
		update("update rabbit_retry_selection set selections = selections + 1 where id = 1",
				EmptySqlParameterSource.INSTANCE);
	}

	/**
	 * What time it is in the database: the start of the current transaction, if there is
	 * one.
	 * @return the instant, in microseconds
	 */
	public final Instant now() {
		this.schema.ready();
		@Nullable OffsetDateTime now = this.jdbc.getJdbcOperations()
			.queryForObject("select current_timestamp", OffsetDateTime.class);
		return Objects.requireNonNull(now, "a database knows what time it is")
			.toInstant()
			.truncatedTo(ChronoUnit.MICROS);
	}

}
