/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.rabbitretry.parking.replay.AuditEntry;
import io.github.rabbitretry.parking.replay.AuditLog;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.ReplayJob;
import org.jspecify.annotations.Nullable;

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
	public List<AuditEntry> entries(@Nullable String replayId, @Nullable Long before, int limit) {
		ReplayTables.checkPage(limit);
		return this.tables.jdbc()
			.query("select * from rabbit_retry_audit where id < :before and not dry_run"
					+ ((replayId != null) ? " and replay_id = :replayId" : "") + " order by id desc limit :limit",
					new MapSqlParameterSource("before", (before != null) ? before : Long.MAX_VALUE)
						.addValue("replayId", replayId)
						.addValue("limit", limit),
					(row, number) -> new AuditEntry(row.getLong("id"),
							row.getObject("acted_at", OffsetDateTime.class).toInstant(), row.getString("user_name"),
							AuditEntry.Action.valueOf(row.getString("act")), row.getString("reason"),
							row.getString("application"), row.getString("selection"), row.getString("replay_id"),
							row.getLong("message_count"), row.getString("outcome"), row.getString("details")));
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
