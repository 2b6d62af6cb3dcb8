/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;

import io.github.rabbitretry.internal.depth.ParkedDepth;

import org.springframework.jdbc.core.namedparam.EmptySqlParameterSource;

/**
 * How many messages there are, where the database keeps account of that: by kind and
 * state, as a sum of changes.
 */
public final class LedgerCounts {

	/**
	 * One statement, so that a reader finds either the changes or their sum. Of two who
	 * do it at once, the second finds the rows of the first gone.
	 */
	private static final String SUM_UP = """
			with gone as (
				delete from rabbit_retry_parked_count c using (
					select kind_id, state from rabbit_retry_parked_count group by kind_id, state having count(*) > 1) many
				where c.kind_id = many.kind_id and c.state = many.state
				returning c.kind_id, c.state, c.change)
			insert into rabbit_retry_parked_count (kind_id, state, change)
			select kind_id, state, sum(change) from gone group by kind_id, state having sum(change) <> 0""";

	private static final String DEPTHS = """
			select k.message_type, sum(s.messages), min(s.first_at) from (%s) s
			join rabbit_retry_failure_kind k on k.id = s.kind_id group by k.message_type""";

	private static final String COUNTED = DEPTHS.formatted("""
			select c.kind_id, sum(c.change) as messages, (select min(p.parked_at) from rabbit_retry_parked p
				where p.kind_id = c.kind_id and p.state = 'PARKED') as first_at
			from rabbit_retry_parked_count c where c.state = 'PARKED' group by c.kind_id having sum(c.change) > 0""");

	private static final String READ = DEPTHS.formatted("""
			select p.kind_id, count(*) as messages, min(p.parked_at) as first_at
			from rabbit_retry_parked p where p.state = 'PARKED' group by p.kind_id""");

	private final LedgerSchema schema;

	private final LedgerTransactions transactions;

	/**
	 * Creates the counts.
	 * @param schema the tables
	 */
	public LedgerCounts(LedgerSchema schema) {
		this.schema = schema;
		this.transactions = new LedgerTransactions(schema);
	}

	/**
	 * How many messages are parked.
	 * @return by message type, for those that have any
	 */
	public Map<String, ParkedDepth> parked() {
		Map<String, ParkedDepth> depths = new HashMap<>();
		String sql = this.schema.ready().keepsCounts() ? COUNTED : READ;
		this.transactions.jdbc().query(sql, (row) -> {
			depths.put(row.getString(1),
					new ParkedDepth(row.getLong(2), row.getObject(3, OffsetDateTime.class).toInstant()));
		});
		return depths;
	}

	/**
	 * Makes one row of many, for each kind and state. A database that keeps no counts is
	 * asked for a transaction all the same, so that it is noticed if it is away.
	 */
	void sumUp() {
		boolean keepsCounts = this.schema.ready().keepsCounts();
		this.transactions
			.inTransaction(() -> keepsCounts ? this.transactions.update(SUM_UP, EmptySqlParameterSource.INSTANCE) : 0);
	}

}
