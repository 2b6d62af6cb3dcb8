/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.replay;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.github.rabbitretry.ledger.LedgerSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The way to the tables. They are seen to before the first use, since the database may be
 * away when the application starts.
 */
final class ReplayTables {

	private final LedgerSchema schema;

	private volatile @Nullable Access access;

	ReplayTables(LedgerSchema schema) {
		this.schema = schema;
	}

	NamedParameterJdbcTemplate jdbc() {
		return access().jdbc;
	}

	/**
	 * Runs something in one transaction.
	 * @throws DataAccessResourceFailureException if no transaction can be begun, or it is
	 * not known whether it was committed
	 */
	<T> T inTransaction(Supplier<T> work) {
		try {
			T result = access().transaction.execute((status) -> work.get());
			if (result == null) {
				throw new IllegalStateException("a transaction has a result");
			}
			return result;
		}
		catch (TransactionException ex) {
			throw new DataAccessResourceFailureException(String.valueOf(ex.getMessage()), ex);
		}
	}

	private Access access() {
		Access known = this.access;
		if (known == null) {
			DataSource dataSource = this.schema.tables();
			known = new Access(new NamedParameterJdbcTemplate(dataSource),
					new TransactionTemplate(new JdbcTransactionManager(dataSource)));
			this.access = known;
		}
		return known;
	}

	static OffsetDateTime utc(Instant instant) {
		return instant.atOffset(ZoneOffset.UTC);
	}

	static @Nullable Instant instant(@Nullable OffsetDateTime value) {
		return (value != null) ? value.toInstant() : null;
	}

	private record Access(NamedParameterJdbcTemplate jdbc, TransactionTemplate transaction) {
	}

}
