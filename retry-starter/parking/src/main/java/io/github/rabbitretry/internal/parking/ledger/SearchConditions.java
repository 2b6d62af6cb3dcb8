/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

import io.github.rabbitretry.internal.parking.mapping.FailureDimension;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedPage;
import io.github.rabbitretry.parking.message.ParkedState;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * A filter as SQL. The texts of the filter are parameters, never SQL.
 */
final class SearchConditions {

	private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

	private final List<String> ofKinds = new ArrayList<>();

	private final List<String> ofRows = new ArrayList<>();

	private final MapSqlParameterSource parameters = new MapSqlParameterSource();

	private final boolean selective;

	SearchConditions(ParkedFilter filter) {
		this(filter, true);
	}

	/**
	 * Text of a log, and the beginning of an id, find other messages than they are about,
	 * too: lists do, actions do not.
	 */
	SearchConditions(ParkedFilter filter, boolean listed) {
		equal(this.ofKinds, "k.queue", filter.queue());
		equal(this.ofKinds, "k.message_type", filter.messageType());
		reason(filter.reason());
		equal(this.ofKinds, "k.failure_class", filter.failureClass());
		equal(this.ofKinds, "k.fingerprint", filter.fingerprint());
		causes(filter.cause());
		equal(this.ofKinds, "k.owner_team", filter.owner());
		equal(this.ofKinds, "k.handler_version", filter.handlerVersion());
		text(filter.text(), listed);
		equal(this.ofKinds, "k.payload_state", (filter.payload() != null) ? filter.payload().name() : null);
		equal(this.ofRows, "p.message_id", filter.messageId());
		equal(this.ofRows, "p.correlation_id", filter.correlationId());
		equal(this.ofRows, "p.aggregate_id", filter.aggregateId());
		equal(this.ofRows, "p.replay_id", filter.replayId());
		equal(this.ofRows, "p.schema_version", filter.schemaVersion());
		equal(this.ofRows, "p.audit_id", filter.auditId());
		anyId(filter.anyId(), listed);
		this.selective = !this.ofRows.isEmpty();
		instant("p.parked_at >= :parkedFrom", "parkedFrom", filter.parkedFrom());
		instant("p.parked_at < :parkedBefore", "parkedBefore", filter.parkedBefore());
		ParkedState state = filter.state();
		this.parameters.addValue("states",
				(state != null) ? List.of(state.name()) : Arrays.stream(ParkedState.values()).map(Enum::name).toList());
	}

	private void equal(List<String> conditions, String column, @Nullable Object value) {
		if (value != null) {
			String name = column.substring(2);
			conditions.add(column + " = :" + name);
			this.parameters.addValue(name, (value instanceof String text) ? searchable(text) : value);
		}
	}

	/** Apart, so that PostgreSQL goes by the indexes of ids, whatever the order. */
	private void anyId(@Nullable String value, boolean listed) {
		if (value != null) {
			String id = searchable(value);
			boolean number = NUMBER.matcher(id).matches();
			this.ofRows.add("p.id in (select i.id from rabbit_retry_parked i where i.message_id like :anyId"
					+ " or i.correlation_id like :anyId or i.aggregate_id like :anyId or i.replay_id = :wholeId"
					+ (number ? " or i.id = :number)" : ")"));
			this.parameters.addValue("anyId", id.replaceAll("[\\\\%_]", "\\\\$0") + (listed ? "%" : ""))
				.addValue("wholeId", id);
			if (number) {
				this.parameters.addValue("number", Long.valueOf(id));
			}
		}
	}

	/** Why it was parked or, where a budget was used up, why it failed last. */
	private void reason(@Nullable String value) {
		if (value != null) {
			this.ofKinds.add("(k.last_reason = :reason or k.failure_reason = :reason)");
			this.parameters.addValue("reason", searchable(value));
		}
	}

	private void causes(@Nullable String value) {
		if (value != null) {
			this.ofKinds.add("k.cause in (:cause)");
			this.parameters.addValue("cause", List.of(searchable(value).split(",", -1)));
		}
	}

	/** Not by LIKE: so nothing in the text has a meaning of its own. */
	private void text(@Nullable String value, boolean logged) {
		if (value != null) {
			List<String> found = new ArrayList<>();
			for (String text : FailureDimension.searched(value, logged)) {
				String name = "text" + found.size();
				found.add("position(:" + name + " in k.search_text) > 0");
				this.parameters.addValue(name, searchable(text));
			}
			this.ofKinds.add("(" + String.join(" or ", found) + ")");
		}
	}

	/** What can be in no row may be more than the database takes. */
	static String searchable(String value) {
		return value.replace('\u0000', '\uFFFD');
	}

	private void instant(String condition, String name, @Nullable Instant value) {
		if (value != null) {
			this.ofRows.add(condition);
			this.parameters.addValue(name, value.atOffset(ZoneOffset.UTC));
		}
	}

	SearchConditions after(ParkedPage.@Nullable PageKey after, ParkedPage.Order order) {
		if (after != null) {
			this.ofRows.add("(p.parked_at, p.id) %s (:afterParkedAt, :afterId)"
				.formatted((order == ParkedPage.Order.OLDEST_FIRST) ? ">" : "<"));
			this.parameters.addValue("afterParkedAt", after.parkedAt().atOffset(ZoneOffset.UTC))
				.addValue("afterId", after.id());
		}
		return this;
	}

	/** Whether an attribute of messages is asked for that has an index of its own. */
	boolean selective() {
		return this.selective;
	}

	/** Whether the failure kind matters. */
	boolean kinds() {
		return !this.ofKinds.isEmpty();
	}

	/** The conditions on kinds, beginning with "and" if there are any. */
	String ofKinds() {
		return and(this.ofKinds);
	}

	/**
	 * The conditions on rows but for the state, beginning with "and" if there are any.
	 */
	String ofRows() {
		return and(this.ofRows);
	}

	private static String and(List<String> conditions) {
		StringBuilder sql = new StringBuilder();
		conditions.forEach((condition) -> sql.append(" and ").append(condition));
		return sql.toString();
	}

	/** The filter's values, to be added to. */
	MapSqlParameterSource parameters() {
		return this.parameters;
	}

}
