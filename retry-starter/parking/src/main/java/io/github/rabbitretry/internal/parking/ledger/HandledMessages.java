/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.sql.PreparedStatement;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;

import io.github.rabbitretry.internal.policy.Deduplication;
import io.github.rabbitretry.internal.policy.DeduplicationStore;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * The ids of messages that were handled, in the ledger's database.
 */
public final class HandledMessages {

	/** So that a delete holds no lock for long. */
	private static final int PORTION = 1000;

	private static final String DELETE = """
			delete from rabbit_retry_handled where queue = :queue and message_id in (
				select message_id from rabbit_retry_handled where queue = :queue and handled_at < :before
				limit :portion)""";

	private final LedgerSchema schema;

	private final LedgerTransactions transactions;

	private final JdbcTemplate jdbc;

	private final int patienceSeconds;

	/**
	 * Creates the access to the table.
	 * @param schema the tables
	 * @param patience how long to wait for a transaction that handles the same message
	 */
	public HandledMessages(LedgerSchema schema, Duration patience) {
		this.schema = schema;
		this.transactions = new LedgerTransactions(schema);
		this.jdbc = new JdbcTemplate(schema.dataSource());
		this.patienceSeconds = (int) patience.toSeconds();
	}

	/**
	 * Creates or verifies the tables, unless that was done. To be called outside of
	 * transactions, since it takes a connection of its own.
	 * @throws DataAccessException if the database can't be reached, or is not as
	 * {@link LedgerSchema#prepare()} demands
	 */
	public void prepare() {
		this.schema.ready();
	}

	/**
	 * Marks a message as handled, from the moment that the current transaction is
	 * committed. Waits for other transactions that have marked it and have not ended.
	 * @param queue the work queue
	 * @param messageId the message id
	 * @return {@code false} if it was marked before
	 * @throws DataAccessException if that fails, or another transaction takes too long
	 */
	public boolean mark(String queue, String messageId) {
		LedgerDialect dialect = this.schema.ready();
		try {
			return this.jdbc.update((connection) -> {
				PreparedStatement insert = connection.prepareStatement(dialect.insertHandled());
				if (dialect.waitsForRows()) {
					insert.setQueryTimeout(this.patienceSeconds);
				}
				insert.setString(1, queue);
				insert.setString(2, storable(messageId));
				return insert;
			}) == 1;
		}
		catch (DuplicateKeyException ex) {
			return false;
		}
	}

	/**
	 * Takes the mark of the current transaction back.
	 * @param queue the work queue
	 * @param messageId the message id
	 * @throws DataAccessException if that fails
	 */
	public void unmark(String queue, String messageId) {
		this.jdbc.update("delete from rabbit_retry_handled where queue = ? and message_id = ?", queue,
				storable(messageId));
	}

	/**
	 * PostgreSQL has the one character in no text, and the other is in no id that counts.
	 */
	private static String storable(String messageId) {
		return messageId.replace('\0', '\uFFFD');
	}

	/**
	 * Whether a policy's handled messages are in the database.
	 * @param policy the policy
	 * @return {@code true} if they are
	 */
	public static boolean inDatabase(MessagePolicy policy) {
		Deduplication deduplication = policy.deduplication();
		return deduplication != null && deduplication.store() == DeduplicationStore.JDBC;
	}

	/**
	 * Forgetting handled messages after their policies' retention.
	 * @param policies what is kept for how long
	 * @return what there is to do, if any policy has handled messages in the database
	 */
	public List<LedgerMaintenance.Task> tasks(MessagePolicies policies) {
		List<MessagePolicy> kept = policies.all().stream().filter(HandledMessages::inDatabase).toList();
		return kept.isEmpty() ? List.of() : List.of(new LedgerMaintenance.Task(LedgerMaintenance.BETWEEN_DELETIONS,
				() -> deleteOld(kept), "Handled messages that are too old are not forgotten"));
	}

	private void deleteOld(List<MessagePolicy> policies) {
		// measures the database's clock, unless that was done
		prepare();
		Instant now = this.schema.clock().instant();
		for (MessagePolicy policy : policies) {
			Deduplication deduplication = policy.deduplication();
			if (deduplication != null) {
				deleteOld(policy.queue(), now.minus(deduplication.retention()));
			}
		}
	}

	private void deleteOld(String queue, Instant before) {
		MapSqlParameterSource parameters = new MapSqlParameterSource("queue", queue)
			.addValue("before", before.atOffset(ZoneOffset.UTC))
			.addValue("portion", PORTION);
		while (this.transactions.update(DELETE, parameters) == PORTION) {
			// there may be more
		}
	}

}
