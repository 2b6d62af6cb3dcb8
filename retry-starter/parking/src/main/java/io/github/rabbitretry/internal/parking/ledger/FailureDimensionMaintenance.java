/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * Deletes failure kinds that no message has any more, since they quote texts of
 * exceptions.
 */
final class FailureDimensionMaintenance {

	/** So that a delete holds no lock for long. */
	private static final int PORTION = 1000;

	private static final String UNUSED = "select k.id from rabbit_retry_failure_kind k where not exists"
			+ " (select 1 from rabbit_retry_parked p where p.kind_id = k.id)";

	private final LedgerSchema schema;

	private final LedgerTransactions transactions;

	FailureDimensionMaintenance(DataSource dataSource, LedgerSchema schema) {
		this.schema = schema;
		this.transactions = new LedgerTransactions(dataSource, schema);
	}

	/**
	 * Deletes the kinds of a queue that no message has, whatever its state.
	 * @param queue the work queue
	 * @return how many kinds
	 */
	int deleteUnused(String queue) {
		List<Long> unused = this.transactions.jdbc()
			.queryForList(UNUSED + " and k.queue = :queue order by k.id", Map.of("queue", queue), Long.class);
		int deleted = 0;
		for (int from = 0; from < unused.size(); from += PORTION) {
			List<Long> some = unused.subList(from, Math.min(from + PORTION, unused.size()));
			deleted += this.transactions.execute(() -> deleteIfUnused(some));
		}
		return deleted;
	}

	/** What is used meanwhile is either locked or, once it is locked here, seen. */
	private int deleteIfUnused(List<Long> kinds) {
		List<Long> locked = this.transactions.jdbc()
			.queryForList(
					"select id from rabbit_retry_failure_kind where id in (:kinds) order by id for update skip locked",
					Map.of("kinds", kinds), Long.class);
		if (locked.isEmpty()) {
			return 0;
		}
		List<Long> unused = this.transactions.jdbc()
			.queryForList(UNUSED + " and k.id in (:locked)", Map.of("locked", locked), Long.class);
		if (unused.isEmpty()) {
			return 0;
		}
		MapSqlParameterSource parameters = new MapSqlParameterSource("unused", unused);
		if (this.schema.ready().keepsCounts()) {
			this.transactions.update("delete from rabbit_retry_parked_count where kind_id in (:unused)", parameters);
		}
		return this.transactions.update("delete from rabbit_retry_failure_kind where id in (:unused)", parameters);
	}

}
