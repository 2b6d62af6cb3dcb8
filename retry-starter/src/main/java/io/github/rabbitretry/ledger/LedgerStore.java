/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.ledger;

import java.nio.ByteBuffer;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Writes parked messages into the database, each parking once.
 */
final class LedgerStore {

	private static final Log logger = LogFactory.getLog(LedgerStore.class);

	/**
	 * With many rows in a statement: a batch of statements would be counted one by one.
	 */
	private static final String INSERT = """
			insert into rabbit_retry_parked (id, ledger_key, kind_id, state, parked_at, first_seen_at, last_failed_at,
				attempt_count, message_id, correlation_id, causation_id, aggregate_id, schema_version, producer, replay_id,
				replay_item)
			values\s""";

	private static final String VALUES = "(?, ?, ?, 'PARKED', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

	private static final String INSERT_CONTENT = """
			insert into rabbit_retry_parked_content (parked_id, payload_hash, exception_message, properties, payload)
			values\s""";

	private static final String CONTENT_VALUES = "(?, ?, ?, ?, ?)";

	/** So that the statements have far less parameters than a database takes. */
	private static final int ROWS_OF_STATEMENT = 200;

	private final LedgerSchema schema;

	private final NamedParameterJdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	private final FailureKinds kinds;

	LedgerStore(DataSource dataSource, LedgerSchema schema) {
		this.schema = schema;
		this.jdbc = new NamedParameterJdbcTemplate(dataSource);
		this.transaction = new TransactionTemplate(new JdbcTransactionManager(dataSource));
		this.kinds = new FailureKinds(this.jdbc);
	}

	/**
	 * Stores rows. When this returns, all are committed but those that it returns.
	 * @param rows the rows
	 * @return the rows that the database does not take, whatever is left out of them
	 * @throws org.springframework.dao.DataAccessException if the database can't be used
	 * at all; then none or all are committed
	 */
	List<ParkedRow> save(List<ParkedRow> rows) {
		LedgerDialect dialect = this.schema.ready();
		try {
			saveAll(dialect, rows);
			return List.of();
		}
		catch (DataIntegrityViolationException ex) {
			// a stranger's consumer stored one of them meanwhile, or one of them can't be
			// stored, or a kind is gone: each by itself shows
			logger.debug("A batch of parked messages is stored one by one", ex);
			this.kinds.forget();
			return rows.stream().filter((row) -> !saveOne(dialect, row)).toList();
		}
	}

	private boolean saveOne(LedgerDialect dialect, ParkedRow row) {
		try {
			try {
				saveAll(dialect, List.of(row));
			}
			catch (DuplicateKeyException ex) {
				saveAll(dialect, List.of(row));
			}
			catch (DataIntegrityViolationException ex) {
				logger.warn("The database does not take all of a parked message of '%s'; it is stored without its texts"
					.formatted(row.kind().messageType()), ex);
				saveAll(dialect, List.of(row.bare()));
			}
			return true;
		}
		catch (DataIntegrityViolationException ex) {
			logger
				.error("The database does not take a parked message of '%s'; it stays in its queue until the next start"
					.formatted(row.kind().messageType()), ex);
			return false;
		}
	}

	private void saveAll(LedgerDialect dialect, List<ParkedRow> rows) {
		Map<FailureKind, Long> kindIds = this.kinds
			.ids(rows.stream().map(ParkedRow::kind).collect(Collectors.toCollection(HashSet::new)));
		this.transaction.executeWithoutResult((status) -> {
			this.schema.keepCommits(this.jdbc.getJdbcTemplate());
			List<ParkedRow> fresh = fresh(rows);
			if (!fresh.isEmpty()) {
				insert(dialect, fresh, kindIds);
			}
		});
	}

	/** Those that are not stored yet. */
	private List<ParkedRow> fresh(List<ParkedRow> rows) {
		Set<ByteBuffer> stored = stored(rows);
		List<ParkedRow> fresh = new ArrayList<>();
		for (ParkedRow row : rows) {
			if (stored.add(ByteBuffer.wrap(row.key()))) {
				fresh.add(row);
			}
			else if (!row.identified() && !row.redelivered()) {
				// never delivered before, so it is a twin of what is stored
				fresh.add(row.withKey(twin(row.key())));
			}
		}
		return fresh;
	}

	private Set<ByteBuffer> stored(Collection<ParkedRow> rows) {
		List<byte[]> keys = rows.stream().map(ParkedRow::key).toList();
		Set<ByteBuffer> stored = new HashSet<>();
		this.jdbc.query("select ledger_key from rabbit_retry_parked where ledger_key in (:keys)", Map.of("keys", keys),
				(row) -> {
					stored.add(ByteBuffer.wrap(row.getBytes(1)));
				});
		return stored;
	}

	/**
	 * The ids of stored rows.
	 * @param rows the rows
	 * @return their ids by key
	 */
	Map<ByteBuffer, Long> ids(Collection<ParkedRow> rows) {
		List<byte[]> keys = rows.stream().map(ParkedRow::key).toList();
		Map<ByteBuffer, Long> ids = new HashMap<>();
		this.jdbc.query("select ledger_key, id from rabbit_retry_parked where ledger_key in (:keys)",
				Map.of("keys", keys), (row) -> {
					ids.put(ByteBuffer.wrap(row.getBytes(1)), row.getLong(2));
				});
		return ids;
	}

	private static byte[] twin(byte[] key) {
		UUID random = UUID.randomUUID();
		return Hashes.sha256()
			.digest(ByteBuffer.allocate(key.length + 2 * Long.BYTES)
				.put(key)
				.putLong(random.getMostSignificantBits())
				.putLong(random.getLeastSignificantBits())
				.array());
	}

	private void insert(LedgerDialect dialect, List<ParkedRow> rows, Map<FailureKind, Long> kindIds) {
		List<Long> ids = this.jdbc.getJdbcTemplate().queryForList(dialect.nextIds(), Long.class, rows.size());
		for (int from = 0; from < rows.size(); from += ROWS_OF_STATEMENT) {
			int to = Math.min(from + ROWS_OF_STATEMENT, rows.size());
			insert(rows.subList(from, to), ids.subList(from, to), kindIds);
		}
	}

	private void insert(List<ParkedRow> rows, List<Long> ids, Map<FailureKind, Long> kindIds) {
		JdbcTemplate plain = this.jdbc.getJdbcTemplate();
		plain.update(INSERT + String.join(", ", Collections.nCopies(rows.size(), VALUES)), (statement) -> {
			Parameters parameters = new Parameters(statement);
			for (int index = 0; index < rows.size(); index++) {
				ParkedRow row = rows.get(index);
				parameters.add(ids.get(index))
					.add(row.key())
					.add(kindIds.get(row.kind()))
					.add(row.parkedAt())
					.add(row.firstSeenAt())
					.add(row.lastFailedAt())
					.add(row.attempts())
					.add(row.messageId())
					.add(row.correlationId())
					.add(row.causationId())
					.add(row.aggregateId())
					.add(row.schemaVersion())
					.add(row.producer())
					.add(row.replayId())
					.add(row.replayItem());
			}
		});
		plain.update(INSERT_CONTENT + String.join(", ", Collections.nCopies(rows.size(), CONTENT_VALUES)),
				(statement) -> {
					Parameters parameters = new Parameters(statement);
					for (int index = 0; index < rows.size(); index++) {
						ParkedRow row = rows.get(index);
						parameters.add(ids.get(index))
							.add(row.payloadHash())
							.add(row.exceptionMessage())
							.add(row.properties())
							.add(row.body());
					}
				});
	}

	/** Sets one parameter after the other, each with its type, also where it is null. */
	private static final class Parameters {

		private final PreparedStatement statement;

		private int last;

		Parameters(PreparedStatement statement) {
			this.statement = statement;
		}

		Parameters add(@Nullable String value) throws SQLException {
			this.statement.setString(++this.last, value);
			return this;
		}

		Parameters add(byte @Nullable [] value) throws SQLException {
			this.statement.setBytes(++this.last, value);
			return this;
		}

		Parameters add(Instant value) throws SQLException {
			this.statement.setObject(++this.last, value.atOffset(ZoneOffset.UTC));
			return this;
		}

		Parameters add(int value) throws SQLException {
			this.statement.setInt(++this.last, value);
			return this;
		}

		Parameters add(@Nullable Long value) throws SQLException {
			this.statement.setObject(++this.last, value, Types.BIGINT);
			return this;
		}

	}

}
