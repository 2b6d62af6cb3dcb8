/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;

import io.github.rabbitretry.parking.replay.AuditEntry;
import io.github.rabbitretry.parking.replay.AuditFilter;
import io.github.rabbitretry.parking.replay.AuditLog;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.ReplayJob;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.KeyHolder;

/**
 * The audit in the database. There is no statement here that changes or deletes a row.
 */
final class JdbcAuditLog implements AuditLog {

	private static final String INSERT = """
			insert into rabbit_retry_audit (acted_at, user_name, act, reason, dry_run, application, selection, replay_id,
				message_count, outcome, details)
			values (:at, :user, :act, :reason, false, :application, :selection, :replayId, :count, :outcome, :details)""";

	private static final RowMapper<AuditEntry> ENTRY = (row, number) -> new AuditEntry(row.getLong("id"),
			row.getObject("acted_at", OffsetDateTime.class).toInstant(), row.getString("user_name"),
			AuditEntry.Action.valueOf(row.getString("act")), row.getString("reason"), row.getString("application"),
			row.getString("selection"), row.getString("replay_id"), row.getLong("message_count"),
			row.getString("outcome"), row.getString("details"));

	private final ReplayTables tables;

	private final String application;

	private final InstantSource clock;

	JdbcAuditLog(ReplayTables tables, String application, InstantSource clock) {
		this.tables = tables;
		this.application = application;
		this.clock = clock;
	}

	/** Adds an entry, in the transaction of the act itself, if there is one. */
	long add(AuditEntry.Action what, OperatorAction act, Facts facts) {
		KeyHolder key = new GeneratedKeyHolder();
		this.tables.inTransaction(() -> this.tables.jdbc()
			.update(INSERT,
					new MapSqlParameterSource("at", ReplayTables.utc(this.clock.instant())).addValue("user", act.user())
						.addValue("act", what.name())
						.addValue("reason", act.reason())
						.addValue("application", this.application)
						.addValue("selection", facts.selection())
						.addValue("replayId", facts.replayId())
						.addValue("count", facts.count())
						.addValue("outcome", facts.outcome())
						.addValue("details", facts.details()),
					key, new String[] { "id" }));
		return Objects.requireNonNull(key.getKey(), "the database numbers entries").longValue();
	}

	@Override
	public List<AuditEntry> entries(AuditFilter filter, @Nullable Long before, int limit) {
		ReplayTables.checkPage(limit);
		MapSqlParameterSource parameters = new MapSqlParameterSource("before",
				(before != null) ? before : Long.MAX_VALUE)
			.addValue("limit", limit);
		StringBuilder conditions = new StringBuilder();
		BiConsumer<String, @Nullable Object> condition = (sql, value) -> {
			if (value != null) {
				conditions.append(" and ").append(sql);
				parameters.addValue(sql.substring(sql.indexOf(':') + 1),
						(value instanceof Instant instant) ? ReplayTables.utc(instant) : value);
			}
		};
		condition.accept("replay_id = :replayId", filter.replayId());
		condition.accept("user_name = :user", filter.user());
		condition.accept("act = :act", (filter.action() != null) ? filter.action().name() : null);
		condition.accept("acted_at >= :from", filter.from());
		condition.accept("acted_at < :to", filter.to());
		return this.tables.jdbc()
			.query("select * from rabbit_retry_audit where id < :before and not dry_run" + conditions
					+ " order by id desc limit :limit", parameters, ENTRY);
	}

	/** The entries of the acts that discarded messages which are still discarded. */
	Map<Long, AuditEntry> discards(Collection<Long> parkedIds) {
		Map<Long, AuditEntry> discards = new HashMap<>();
		if (!parkedIds.isEmpty()) {
			this.tables.jdbc()
				.query("select p.id as parked_id, a.* from rabbit_retry_parked p join rabbit_retry_audit a"
						+ " on a.id = p.audit_id where p.id in (:ids) and p.state || '' = 'DISCARDED'",
						Map.of("ids", parkedIds), (row) -> {
							discards.put(row.getLong("parked_id"), ENTRY.mapRow(row, 0));
						});
		}
		return discards;
	}

	/** Those of some entries by which messages are still discarded. */
	Set<Long> restorable(Collection<Long> entries) {
		return entries.isEmpty() ? Set.of()
				: new TreeSet<>(this.tables.jdbc()
					.queryForList("select distinct p.audit_id from rabbit_retry_parked p where p.state = 'DISCARDED'"
							+ " and p.audit_id in (:entries)", Map.of("entries", entries), Long.class));
	}

	/** The whole of an act's facts. */
	record Facts(@Nullable String selection, @Nullable String replayId, long count, @Nullable String outcome,
			@Nullable String details) {

		static Facts of(StoredJob job, ReplayJob.Counts counts) {
			return new Facts(null, job.replayId(), counts.selected(), text(counts), null);
		}

		private static String text(ReplayJob.Counts counts) {
			return Map
				.of("succeeded", counts.succeeded(), "parked again", counts.parkedAgain(), "discarded",
						counts.discarded(), "undecided", counts.undecided() + counts.inFlight(), "uncertain",
						counts.uncertain(), "not published", counts.waiting(), "skipped", counts.skipped(), "failed",
						counts.failed(), "restored", counts.restored())
				.entrySet()
				.stream()
				.filter((part) -> part.getValue() > 0)
				.sorted(Map.Entry.comparingByKey())
				.map((part) -> part.getValue() + " " + part.getKey())
				.reduce((first, second) -> first + ", " + second)
				.orElse("nothing yet");
		}

	}

}
