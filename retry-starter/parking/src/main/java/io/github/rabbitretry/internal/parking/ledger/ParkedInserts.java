/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.internal.parking.mapping.FailureDimension;
import io.github.rabbitretry.internal.parking.mapping.ParkedRecord;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The statements that put rows into the tables.
 */
final class ParkedInserts {

	private static final String NEXT_IDS = "select nextval('rabbit_retry_parked_id') from generate_series(1, ?)";

	/**
	 * With many rows in a statement: a batch of statements would be counted one by one.
	 */
	private static final String INSERT = """
			insert into rabbit_retry_parked (id, ledger_key, kind_id, state, parked_at, first_seen_at, last_failed_at,
				attempt_count, message_id, correlation_id, causation_id, aggregate_id, schema_version, producer, replay_id,
				replay_item)
			values\s""";

	/**
	 * What is stored was parked by now: a later comparison with the database's clock
	 * finds it, whatever the clock of the instance that parked it said.
	 */
	private static final String INSTANT = "least(cast(? as timestamp with time zone), current_timestamp)";

	private static final String VALUES = "(?, ?, ?, 'PARKED', %1$s, %1$s, %1$s, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
		.formatted(INSTANT);

	private static final String INSERT_CONTENT = """
			insert into rabbit_retry_parked_content (parked_id, payload_hash, exception_message, properties, payload)
			values\s""";

	private static final String CONTENT_VALUES = "(?, ?, ?, ?, ?)";

	/** So that the statements have far less parameters than a database takes. */
	private static final int ROWS_OF_STATEMENT = 200;

	/** The row that gets there is the last. PostgreSQL takes a gigabyte. */
	private static final long BYTES_OF_STATEMENT = 16 * 1024 * 1024;

	private ParkedInserts() {
	}

	/**
	 * Inserts rows that are not there.
	 * @param jdbc with the transaction
	 * @param rows the rows
	 * @param kindIds the ids of their kinds
	 */
	static void insert(JdbcTemplate jdbc, List<ParkedRecord> rows, Map<FailureDimension, Long> kindIds) {
		List<Long> ids = jdbc.queryForList(NEXT_IDS, Long.class, rows.size());
		int from = 0;
		while (from < rows.size()) {
			int to = end(rows, from);
			insert(jdbc, rows.subList(from, to), ids.subList(from, to), kindIds);
			from = to;
		}
	}

	private static int end(List<ParkedRecord> rows, int from) {
		int to = from;
		long bytes = 0;
		while (to < rows.size() && to - from < ROWS_OF_STATEMENT && bytes < BYTES_OF_STATEMENT) {
			byte[] body = rows.get(to).body();
			bytes += rows.get(to).properties().length + ((body != null) ? body.length : 0);
			to++;
		}
		return to;
	}

	private static void insert(JdbcTemplate jdbc, List<ParkedRecord> rows, List<Long> ids,
			Map<FailureDimension, Long> kindIds) {
		jdbc.update(INSERT + String.join(", ", Collections.nCopies(rows.size(), VALUES)), (statement) -> {
			Parameters parameters = new Parameters(statement);
			for (int index = 0; index < rows.size(); index++) {
				ParkedRecord row = rows.get(index);
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
		jdbc.update(INSERT_CONTENT + String.join(", ", Collections.nCopies(rows.size(), CONTENT_VALUES)),
				(statement) -> {
					Parameters parameters = new Parameters(statement);
					for (int index = 0; index < rows.size(); index++) {
						ParkedRecord row = rows.get(index);
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
