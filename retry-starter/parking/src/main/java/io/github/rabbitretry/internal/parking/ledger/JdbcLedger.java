/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import io.github.rabbitretry.internal.parking.mapping.AmqpPropertiesCodec;
import io.github.rabbitretry.parking.message.FailureCause;
import io.github.rabbitretry.parking.message.FailureGroup;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedMessage;
import io.github.rabbitretry.parking.message.ParkedPage;
import io.github.rabbitretry.parking.message.ParkedState;
import io.github.rabbitretry.parking.message.ParkedSummary;
import io.github.rabbitretry.parking.message.PayloadState;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;

/**
 * The ledger in a PostgreSQL or H2 database.
 */
public final class JdbcLedger implements Ledger {

	private final RowMapper<ParkedSummary> summary = (row, number) -> new ParkedSummary(row.getLong("id"),
			ParkedState.valueOf(row.getString("state")), row.getString("queue"), row.getString("message_type"),
			row.getString("owner_team"), row.getString("last_reason"), row.getString("failure_reason"),
			row.getString("failure_class"), row.getString("fingerprint"), row.getString("exception"),
			row.getString("exception_message"), row.getString("handler_version"), row.getString("consumer"),
			row.getString("message_id"), row.getString("correlation_id"), row.getString("causation_id"),
			row.getString("aggregate_id"), row.getString("schema_version"), row.getString("producer"),
			row.getInt("attempt_count"), instant(row, "first_seen_at"), instant(row, "last_failed_at"),
			instant(row, "parked_at"), row.getString("replay_id"), PayloadState.valueOf(row.getString("payload_state")),
			row.getString("payload_hash"), cause(row), deletedAt(row));

	private @Nullable Instant deletedAt(ResultSet row) throws SQLException {
		Duration kept = this.retention.get().get(row.getString("queue"));
		return (kept != null) ? LedgerRetention.end(instant(row, "parked_at"), instant(row, "stored_at"), kept) : null;
	}

	private static FailureCause cause(ResultSet row) throws SQLException {
		return new FailureCause(row.getString("cause"), row.getString("root_exception"), row.getString("root_message"));
	}

	private final LedgerSchema schema;

	private final NamedParameterJdbcTemplate jdbc;

	private final LedgerTrends trends;

	private final Supplier<Map<String, Duration>> retention;

	/**
	 * Creates the ledger of an application that deletes nothing.
	 * @param schema the tables
	 */
	public JdbcLedger(LedgerSchema schema) {
		this(schema, Map::of);
	}

	/**
	 * Creates the ledger.
	 * @param schema the tables
	 * @param retention how long messages are kept, by work queue; those of other queues
	 * are kept for ever
	 */
	public JdbcLedger(LedgerSchema schema, Supplier<Map<String, Duration>> retention) {
		this.schema = schema;
		this.retention = retention;
		this.jdbc = new NamedParameterJdbcTemplate(schema.dataSource());
		this.trends = new LedgerTrends(this.jdbc);
	}

	@Override
	public ParkedPage search(ParkedFilter filter, ParkedPage.Order order, ParkedPage.@Nullable PageKey after,
			int size) {
		checkSize(size);
		LedgerDialect dialect = this.schema.ready();
		SearchConditions conditions = new SearchConditions(filter).after(after, order);
		// one more shows whether there is another page
		List<ParkedSummary> found = this.jdbc.query(SearchSql.page(dialect, conditions, order),
				conditions.parameters().addValue("limit", size + 1), this.summary);
		if (found.size() <= size) {
			return new ParkedPage(found, null);
		}
		ParkedSummary last = found.get(size - 1);
		return new ParkedPage(found.subList(0, size), new ParkedPage.PageKey(last.parkedAt(), last.id()));
	}

	@Override
	public long count(ParkedFilter filter) {
		LedgerDialect dialect = this.schema.ready();
		SearchConditions conditions = new SearchConditions(filter);
		Long count = this.jdbc.queryForObject(SearchSql.count(dialect, conditions), conditions.parameters(),
				Long.class);
		return (count != null) ? count : 0;
	}

	@Override
	public Optional<ParkedMessage> find(long id) {
		return find(List.of(id)).stream().findFirst();
	}

	@Override
	public List<ParkedMessage> find(Collection<Long> ids) {
		if (ids.size() > LARGEST_PAGE) {
			throw new IllegalArgumentException("%s ids are more than %s".formatted(ids.size(), LARGEST_PAGE));
		}
		this.schema.ready();
		return ids.isEmpty() ? List.of()
				: this.jdbc.query(SearchSql.WHOLE, Map.of("ids", ids),
						(row, number) -> AmqpPropertiesCodec.message(this.summary.mapRow(row, number),
								AmqpPropertiesCodec.decode(row.getBytes("properties")), row.getBytes("payload")));
	}

	@Override
	public List<FailureGroup> groups(ParkedFilter filter, int limit) {
		return groups(filter, null, limit);
	}

	@Override
	public List<FailureGroup> groupsNewSince(ParkedFilter filter, String handlerVersion, int limit) {
		checkSize(limit);
		this.schema.ready();
		OffsetDateTime first = this.jdbc.queryForObject(SearchSql.FIRST_OF_VERSION,
				Map.of("version", SearchConditions.searchable(handlerVersion)), OffsetDateTime.class);
		return (first != null) ? groups(filter, first.toInstant(), limit) : List.of();
	}

	@Override
	public List<FailureGroup.Total> totals(ParkedFilter filter, FailureGroup.Attribute attribute, int limit) {
		checkSize(limit);
		LedgerDialect dialect = this.schema.ready();
		SearchConditions conditions = new SearchConditions(filter);
		return this.jdbc.query(SearchSql.totals(dialect, conditions, attribute),
				conditions.parameters().addValue("limit", limit),
				(row, number) -> new FailureGroup.Total(row.getString("attribute"), row.getLong("rows_of_value"),
						row.getLong("causes"), instant(row, "first_at"), instant(row, "last_at")));
	}

	@Override
	public List<FailureGroup.Trend> trends(ParkedFilter filter, List<FailureGroup> groups) {
		return groups.isEmpty() ? List.of()
				: this.trends.of(this.schema.ready(), filter, groups, this.schema.clock().instant());
	}

	@Override
	public List<FailureCause> causes(Collection<String> ids) {
		this.schema.ready();
		return ids.isEmpty() ? List.of()
				: this.jdbc.query("select distinct cause, root_exception, root_message from rabbit_retry_failure_kind"
						+ " where cause in (:ids)", Map.of("ids", ids), (row, number) -> cause(row));
	}

	private List<FailureGroup> groups(ParkedFilter filter, @Nullable Instant since, int limit) {
		checkSize(limit);
		LedgerDialect dialect = this.schema.ready();
		SearchConditions conditions = new SearchConditions(filter);
		MapSqlParameterSource parameters = conditions.parameters().addValue("limit", limit);
		if (since != null) {
			parameters.addValue("since", since.atOffset(ZoneOffset.UTC));
		}
		List<Group> groups = this.jdbc.query(SearchSql.groups(dialect, conditions, since != null), parameters,
				(row, number) -> new Group(row.getString("cause"), row.getLong("rows_of_group"),
						row.getLong("rows_exhausted"), instantOrNull(row, "first_at"), instantOrNull(row, "last_at")));
		if (groups.isEmpty()) {
			return List.of();
		}
		Map<String, List<Kind>> kinds = kinds(conditions, groups);
		// what is deleted meanwhile has no kinds
		return groups.stream()
			.filter((group) -> kinds.containsKey(group.cause))
			.map((group) -> group.with(kinds.get(group.cause)))
			.toList();
	}

	private Map<String, List<Kind>> kinds(SearchConditions conditions, List<Group> groups) {
		Map<String, List<Kind>> kinds = new HashMap<>();
		MapSqlParameterSource parameters = conditions.parameters()
			.addValue("causes", groups.stream().map(Group::cause).toList());
		this.jdbc.query(SearchSql.kindsOfGroups(conditions), parameters, (row) -> {
			if (row.getObject("first_at") != null) {
				kinds.computeIfAbsent(row.getString("cause"), (cause) -> new ArrayList<>())
					.add(new Kind(cause(row), row.getString("fingerprint"), row.getString("queue"),
							row.getString("message_type"), row.getString("owner_team"), reason(row),
							row.getString("failure_class"), row.getString("exception"),
							row.getString("handler_version"), instant(row, "first_at"), instant(row, "last_at")));
			}
		});
		return kinds;
	}

	/** That a budget was used up is not why it failed. */
	private static String reason(ResultSet row) throws SQLException {
		String why = row.getString("failure_reason");
		return (why != null) ? why : row.getString("last_reason");
	}

	private static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
		OffsetDateTime value = row.getObject(column, OffsetDateTime.class);
		return (value != null) ? value.toInstant() : null;
	}

	private static Instant instant(ResultSet row, String column) throws SQLException {
		return row.getObject(column, OffsetDateTime.class).toInstant();
	}

	private static void checkSize(int size) {
		if (size < 1 || size > LARGEST_PAGE) {
			throw new IllegalArgumentException("%s must be from 1 to %s".formatted(size, LARGEST_PAGE));
		}
	}

	private record Kind(FailureCause cause, String fingerprint, String queue, String messageType, String owner,
			String reason, String failureClass, @Nullable String exception, @Nullable String handlerVersion,
			Instant firstAt, Instant lastAt) {
	}

	private record Group(String cause, long count, long exhausted, @Nullable Instant firstAt,
			@Nullable Instant lastAt) {

		FailureGroup with(List<Kind> kinds) {
			List<Kind> byAge = kinds.stream().sorted(Comparator.comparing(Kind::firstAt)).toList();
			Kind last = kinds.stream().max(Comparator.comparing(Kind::lastAt)).orElseThrow();
			Set<String> versions = new LinkedHashSet<>();
			byAge.forEach((kind) -> {
				if (kind.handlerVersion != null) {
					versions.add(kind.handlerVersion);
				}
			});
			return new FailureGroup(last.cause, this.count, this.exhausted,
					(this.firstAt != null) ? this.firstAt : byAge.get(0).firstAt,
					(this.lastAt != null) ? this.lastAt : last.lastAt, last.queue, last.messageType, last.owner,
					last.reason, last.failureClass, last.exception, last.fingerprint, List.copyOf(versions));
		}

	}

}
