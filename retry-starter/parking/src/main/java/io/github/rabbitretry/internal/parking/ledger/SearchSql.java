/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import io.github.rabbitretry.parking.message.FailureGroup;
import io.github.rabbitretry.parking.message.ParkedPage;

/**
 * The statements of a search.
 */
final class SearchSql {

	private static final String COLUMNS = """
			p.id, p.state, p.parked_at, p.stored_at, p.first_seen_at, p.last_failed_at, p.attempt_count, p.message_id, p.correlation_id,
			p.causation_id, p.aggregate_id, p.schema_version, p.producer, p.replay_id, k.queue, k.message_type,
			k.owner_team, k.last_reason, k.failure_reason, k.failure_class, k.fingerprint, k.exception,
			k.handler_version, k.consumer, k.payload_state, k.cause, k.root_exception, k.root_message, c.payload_hash, c.exception_message""";

	private static final String JOINED = """
			 from rabbit_retry_parked p
			join rabbit_retry_failure_kind k on k.id = p.kind_id
			join rabbit_retry_parked_content c on c.parked_id = p.id""";

	static final String WHOLE = "select " + COLUMNS + ", c.properties, c.payload" + JOINED + " where p.id in (:ids)";

	/** One state after the other: so each minimum is one look into an index. */
	private static final String EACH_STATE = "(values ('PARKED'), ('REPLAYED'), ('DISCARDED')) s (state)";

	/** When a version parked its first message. */
	static final String FIRST_OF_VERSION = "select min(f.first_at) from (select (select min(p.parked_at)"
			+ " from rabbit_retry_parked p where p.kind_id = k.id and p.state = s.state) as first_at"
			+ " from rabbit_retry_failure_kind k cross join " + EACH_STATE + " where k.handler_version = :version) f";

	private static final String OF_KIND = """
			select k.cause, k.root_exception, k.root_message, k.fingerprint, k.queue, k.message_type, k.owner_team,
				k.last_reason, k.failure_reason, k.failure_class, k.exception, k.handler_version,
			""";

	/** When the first and the last message of each kind was parked, for each state. */
	private static final String KINDS_OF_GROUPS = OF_KIND
			+ """
						(select min(p.parked_at) from rabbit_retry_parked p where p.kind_id = k.id and p.state = s.state) as first_at,
						(select max(p.parked_at) from rabbit_retry_parked p where p.kind_id = k.id and p.state = s.state) as last_at
					from rabbit_retry_failure_kind k cross join\s"""
			+ EACH_STATE + " where k.cause in (:causes) and s.state in (:states)";

	/**
	 * Of each kind, by state: its count, and the first and the last message by the index.
	 */
	private static final String COUNTED_KINDS = """
			select p.kind_id, sum(p.change) as rows_of_kind,
				(select min(m.parked_at) from rabbit_retry_parked m where m.kind_id = p.kind_id and m.state = p.state) as first_at,
				(select max(m.parked_at) from rabbit_retry_parked m where m.kind_id = p.kind_id and m.state = p.state) as last_at
			from rabbit_retry_parked_count p where p.state in (:states)""";

	private SearchSql() {
	}

	static String page(LedgerDialect dialect, SearchConditions conditions, ParkedPage.Order order) {
		boolean plain = !dialect.searchesByKind() || conditions.selective();
		String sorted = (order == ParkedPage.Order.OLDEST_FIRST) ? " order by p.parked_at, p.id"
				: " order by p.parked_at desc, p.id desc";
		String ids = plain ? plainIds(conditions, sorted) : idsByKindAndState(conditions, sorted);
		return "select " + COLUMNS + JOINED + " where p.id in (" + ids + ")" + sorted;
	}

	private static String plainIds(SearchConditions conditions, String sorted) {
		return "select p.id from rabbit_retry_parked p join rabbit_retry_failure_kind k on k.id = p.kind_id"
				+ " where p.state in (:states)" + conditions.ofKinds() + conditions.ofRows() + sorted + " limit :limit";
	}

	/**
	 * The first of each kind in each state, from the index alone, then the first of
	 * these.
	 */
	private static String idsByKindAndState(SearchConditions conditions, String sorted) {
		String from = conditions.kinds() ? "rabbit_retry_failure_kind k cross join " : "";
		String ofKind = conditions.kinds() ? " and p.kind_id = k.id" : "";
		return "select n.id from " + from + "(select unnest(array[:states]::text[]) as state) s cross join lateral ("
				+ "select p.id, p.parked_at from rabbit_retry_parked p where p.state = s.state" + ofKind
				+ conditions.ofRows() + sorted + " limit :limit) n where true" + conditions.ofKinds()
				+ sorted.replace("p.", "n.") + " limit :limit";
	}

	static String count(LedgerDialect dialect, SearchConditions conditions) {
		if (counted(dialect, conditions)) {
			return "select coalesce(sum(p.change), 0) from rabbit_retry_parked_count p where p.state in (:states)"
					+ ofKinds(conditions);
		}
		return "select count(*) from rabbit_retry_parked p where p.state in (:states)" + conditions.ofRows()
				+ ofKinds(conditions);
	}

	/**
	 * Whether the database keeps account of what is asked for, so that no row of a
	 * message has to be read: it does by kind and state.
	 */
	private static boolean counted(LedgerDialect dialect, SearchConditions conditions) {
		return dialect.keepsCounts() && conditions.ofRows().isEmpty();
	}

	/**
	 * The largest groups.
	 * @param dialect the database's
	 * @param conditions which rows
	 * @param onlyNew whether to leave out what was parked before an instant too
	 * @return the statement
	 */
	static String groups(LedgerDialect dialect, SearchConditions conditions, boolean onlyNew) {
		String known = """
				 and k.cause not in (select o.cause from rabbit_retry_failure_kind o where exists (
				select 1 from rabbit_retry_parked p where p.kind_id = o.id and p.state in ('PARKED', 'REPLAYED', 'DISCARDED')
				and p.parked_at < :since))""";
		return "select k.cause, cast(sum(g.rows_of_kind) as bigint) as rows_of_group, cast(sum(case when k.last_reason in"
				+ " ('RETRY_BUDGET_EXHAUSTED', 'RETRY_AGE_EXCEEDED') then g.rows_of_kind else 0 end) as bigint) as rows_exhausted, min(g.first_at) as first_at,"
				+ " max(g.last_at) as last_at from (" + rowsOfKinds(dialect, conditions) + ") g"
				+ " join rabbit_retry_failure_kind k on k.id = g.kind_id where true" + (onlyNew ? known : "")
				+ " group by k.cause having sum(g.rows_of_kind) > 0"
				+ " order by rows_of_group desc, k.cause limit :limit";
	}

	/** Where they are only counted, the first and the last of a group are left open. */
	private static String rowsOfKinds(LedgerDialect dialect, SearchConditions conditions) {
		if (counted(dialect, conditions)) {
			return "select p.kind_id, sum(p.change) as rows_of_kind, cast(null as timestamptz) as first_at,"
					+ " cast(null as timestamptz) as last_at from rabbit_retry_parked_count p where p.state in (:states)"
					+ ofKinds(conditions) + " group by p.kind_id";
		}
		return rows(conditions, "p.kind_id");
	}

	/**
	 * Messages by the value of an attribute.
	 * @param dialect the database's
	 * @param conditions which rows
	 * @param attribute the attribute; the schema version is the only one that messages of
	 * a kind may differ in, so that all rows are read for it
	 * @return the statement
	 */
	static String totals(LedgerDialect dialect, SearchConditions conditions, FailureGroup.Attribute attribute) {
		boolean ofRows = attribute == FailureGroup.Attribute.SCHEMA_VERSION;
		String value = switch (attribute) {
			case MESSAGE_TYPE -> "k.message_type";
			case OWNER -> "k.owner_team";
			case HANDLER_VERSION -> "k.handler_version";
			case SCHEMA_VERSION -> "g.schema_version";
			case QUEUE -> "k.queue";
		};
		String rows = (!ofRows && counted(dialect, conditions))
				? COUNTED_KINDS + ofKinds(conditions) + " group by p.kind_id, p.state"
				: rows(conditions, ofRows ? "p.kind_id, p.schema_version" : "p.kind_id");
		return "select " + value + " as attribute, cast(sum(g.rows_of_kind) as bigint) as rows_of_value,"
				+ " count(distinct k.cause) as causes, min(g.first_at) as first_at, max(g.last_at) as last_at from ("
				+ rows + ") g join rabbit_retry_failure_kind k on k.id = g.kind_id where g.rows_of_kind > 0 group by "
				+ value
				+ " having min(g.first_at) is not null order by rows_of_value desc, attribute nulls last limit :limit";
	}

	/** Rows that match, by some of their columns, with the first and the last of each. */
	private static String rows(SearchConditions conditions, String columns) {
		return "select " + columns + ", count(*) as rows_of_kind, min(p.parked_at) as first_at,"
				+ " max(p.parked_at) as last_at from rabbit_retry_parked p where p.state in (:states)"
				+ conditions.ofRows() + ofKinds(conditions) + " group by " + columns;
	}

	/**
	 * The kinds of some causes. With conditions on rows, a kind counts only by those that
	 * match.
	 */
	static String kindsOfGroups(SearchConditions conditions) {
		return conditions.ofRows().isEmpty() ? KINDS_OF_GROUPS + conditions.ofKinds()
				: OF_KIND + "g.first_at, g.last_at from (" + rows(conditions, "p.kind_id")
						+ ") g join rabbit_retry_failure_kind k on k.id = g.kind_id where k.cause in (:causes)";
	}

	private static String ofKinds(SearchConditions conditions) {
		return conditions.kinds() ? " and p.kind_id in (select k.id from rabbit_retry_failure_kind k where true"
				+ conditions.ofKinds() + ")" : "";
	}

}
