/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import io.github.rabbitretry.internal.message.HeaderText;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.ReplayJob;
import io.github.rabbitretry.parking.replay.ReplayOptions;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.KeyHolder;

/**
 * Jobs and their leases. Time in leases is the database's, so that clocks of instances
 * may differ.
 */
final class JobStore {

	private static final String LEASED_UNTIL = "current_timestamp + cast(:leaseMillis as bigint) * interval '0.001' second";

	static final String FREE = "(lease_until is null or lease_until < current_timestamp)";

	/**
	 * A lease that ends long after any that is taken now is of a clock that was set back
	 * since. A holder that is alive renews it within the time that is left to it.
	 */
	private static final String SHORTEN = """
			update rabbit_retry_replay_job set lease_until = current_timestamp + interval '30' second
			where application = :application and lease_until > current_timestamp + interval '1' minute""";

	private static final String INSERT = """
			insert into rabbit_retry_replay_job (application, state, selection, user_name, reason, edited, cut_off, started_at,
				maximum, rate, ramp_millis, canary, canary_millis, abort_percent, abort_minimum, target, moved, lease_token)
			values (:application, :state, :selection, :user, :reason, :edited, :cutOff, :cutOff,
				:maximum, :rate, :ramp, :canary, :canaryTimeout, :abortPercent, :abortMinimum, :target, :moved, 0)""";

	private static final String HELD = " where id = :id and lease_owner = :owner and lease_token = :token";

	/** What the column holds. */
	private static final int LONGEST_DETAIL = 1024;

	private final ReplayTables tables;

	private final String application;

	private final InstantSource clock;

	JobStore(ReplayTables tables, String application, InstantSource clock) {
		this.tables = tables;
		this.application = application;
		this.clock = clock;
	}

	/** Creates a job. To be called in a transaction. */
	StoredJob create(String selection, ReplayOptions options, OperatorAction act, boolean edited, Instant now) {
		ReplayJob.State state = (options.canary() > 0) ? ReplayJob.State.CANARY : ReplayJob.State.RUNNING;
		KeyHolder key = new GeneratedKeyHolder();
		this.tables.jdbc()
			.update(INSERT,
					new MapSqlParameterSource("application", this.application).addValue("state", state.name())
						.addValue("selection", selection)
						.addValue("user", act.user())
						.addValue("reason", act.reason())
						.addValue("edited", edited)
						.addValue("cutOff", ReplayTables.utc(now))
						.addValue("maximum", options.maximum())
						.addValue("rate", options.rate())
						.addValue("ramp", options.ramp().toMillis())
						.addValue("canary", options.canary())
						.addValue("canaryTimeout", options.canaryTimeout().toMillis())
						.addValue("abortPercent", options.abortPercent())
						.addValue("abortMinimum", options.abortMinimum())
						.addValue("target", options.target())
						.addValue("moved", options.move()),
					key, new String[] { "id" });
		long id = Objects.requireNonNull(key.getKey(), "the database numbers jobs").longValue();
		String replayId = StoredJob.replayId(id, now);
		this.tables.update("update rabbit_retry_replay_job set replay_id = :replayId where id = :id",
				Map.of("replayId", replayId, "id", id));
		return new StoredJob(id, replayId, this.application, state, null, null, selection, options, act, edited, now,
				now, null, null, null, null, null);
	}

	Optional<StoredJob> find(String replayId) {
		return this.tables.jdbc()
			.query("select * from rabbit_retry_replay_job where replay_id = :replayId", Map.of("replayId", replayId),
					(row, number) -> read(row))
			.stream()
			.findFirst();
	}

	StoredJob get(long id) {
		return Objects.requireNonNull(this.tables.jdbc()
			.queryForObject("select * from rabbit_retry_replay_job where id = :id", Map.of("id", id),
					(row, number) -> read(row)),
				"a job is not deleted while it is in use");
	}

	/** Those of all applications that share the ledger, as in the audit. */
	List<StoredJob> list(ReplayJob.@Nullable State state, int limit) {
		List<String> states = (state != null) ? List.of(state.name())
				: Arrays.stream(ReplayJob.State.values()).map(Enum::name).toList();
		return this.tables.jdbc()
			.query("select * from rabbit_retry_replay_job where state in (:states) order by id desc limit :limit",
					Map.of("states", states, "limit", limit), (row, number) -> read(row));
	}

	/** To be called now and then. */
	void shortenLeases() {
		this.tables.update(SHORTEN, Map.of("application", this.application));
	}

	/** Jobs that should be processed and are not. */
	List<Long> waiting() {
		return workedOnByNobody("(state = 'RUNNING' or state = 'CANARY' and canary_waits_since is null)");
	}

	/** Jobs whose canary is published, and that only wait for its outcome. */
	List<Long> waitingCanaries() {
		return workedOnByNobody("state = 'CANARY' and canary_waits_since is not null");
	}

	private List<Long> workedOnByNobody(String which) {
		return this.tables.jdbc()
			.queryForList("select id from rabbit_retry_replay_job where application = :application and " + which
					+ " and " + FREE + " order by id limit 100", Map.of("application", this.application), Long.class);
	}

	/** Jobs that are not worked on, and some of whose messages have no outcome yet. */
	List<Long> undecided(Instant since) {
		return this.tables.jdbc()
			.queryForList(
					"select j.id from rabbit_retry_replay_job j where j.application = :application and j.started_at > :since"
							+ " and j.state not in ('CANARY', 'RUNNING') and exists (select 1 from rabbit_retry_replay_item i"
							+ " where i.job_id = j.id and i.state in ('CLAIMED', 'PUBLISHED', 'UNCERTAIN'))"
							+ " order by j.id desc limit 20",
					Map.of("application", this.application, "since", ReplayTables.utc(since)), Long.class);
	}

	/** Never of another application's job, whose queues this one may not know. */
	Optional<Lease> acquire(long id, String owner, Duration length) {
		long askedAt = System.nanoTime();
		int updated = this.tables.update(
				"update rabbit_retry_replay_job set lease_owner = :owner, lease_token = lease_token + 1, lease_until = "
						+ LEASED_UNTIL
						+ " where id = :id and application = :application and state in ('CANARY', 'RUNNING')" + " and "
						+ FREE,
				Map.of("owner", owner, "leaseMillis", length.toMillis(), "id", id, "application", this.application));
		if (updated == 0) {
			return Optional.empty();
		}
		Long token = this.tables.jdbc()
			.queryForObject("select lease_token from rabbit_retry_replay_job where id = :id and lease_owner = :owner",
					Map.of("id", id, "owner", owner), Long.class);
		return Optional.ofNullable(token).map((number) -> new Lease(id, owner, number, length, askedAt));
	}

	/**
	 * Renews a lease and locks the job's row until the transaction ends.
	 * @return {@code false} if another instance has it
	 */
	boolean renew(Lease lease) {
		return this.tables.update("update rabbit_retry_replay_job set lease_until = " + LEASED_UNTIL + HELD,
				held(lease).addValue("leaseMillis", lease.length().toMillis())) == 1;
	}

	void release(Lease lease) {
		this.tables.update("update rabbit_retry_replay_job set lease_until = null, lease_owner = null" + HELD,
				held(lease));
	}

	void canaryWaits(Lease lease) {
		this.tables.update(
				"update rabbit_retry_replay_job set canary_waits_since = :now" + HELD
						+ " and canary_waits_since is null",
				held(lease).addValue("now", ReplayTables.utc(this.clock.instant())));
	}

	/** Whether the canary's outcome has been waited for long enough. */
	boolean canaryIsLate(StoredJob job) {
		Instant since = get(job.id()).canaryWaitsSince();
		return since != null && since.plus(job.options().canaryTimeout()).isBefore(this.clock.instant());
	}

	/**
	 * Says why a job does not get on.
	 * @param lease the right to say so
	 * @param why why, or {@code null} if it gets on
	 */
	void stalled(Lease lease, @Nullable String why) {
		this.tables.update(
				"update rabbit_retry_replay_job set stalled = :why, stalled_since = "
						+ ((why != null) ? "coalesce(stalled_since, current_timestamp)" : "null") + HELD,
				held(lease).addValue("why", (why != null) ? HeaderText.bounded(why, LONGEST_DETAIL) : null));
	}

	/**
	 * Changes the rate of a job.
	 * @return {@code false} if it has ended
	 */
	boolean rate(long id, ReplayOptions options) {
		return this.tables.update(
				"update rabbit_retry_replay_job set rate = :rate, ramp_millis = :ramp where id = :id"
						+ " and state in ('CANARY', 'RUNNING', 'PAUSED')",
				new MapSqlParameterSource("id", id).addValue("rate", options.rate())
					.addValue("ramp", options.ramp().toMillis())) == 1;
	}

	/** A change by the instance that processes the job. */
	boolean change(Lease lease, ReplayJob.State from, ReplayJob.State to, ReplayJob.@Nullable StopReason why,
			@Nullable String detail) {
		return change(HELD, held(lease), from, to, why, detail);
	}

	/** A change by another instance. */
	boolean change(long id, ReplayJob.State from, ReplayJob.State to, ReplayJob.@Nullable StopReason why) {
		return change(" where id = :id", new MapSqlParameterSource("id", id), from, to, why, null);
	}

	private boolean change(String which, MapSqlParameterSource parameters, ReplayJob.State from, ReplayJob.State to,
			ReplayJob.@Nullable StopReason why, @Nullable String detail) {
		if (!from.canBecome(to)) {
			throw new IllegalStateException("a job can't go from %s to %s".formatted(from, to));
		}
		return this.tables.update(
				"update rabbit_retry_replay_job set state = :to, stop_reason = :why, detail = :detail, ended_at = :ended"
						+ (to.works() ? "" : ", stalled = null, stalled_since = null")
						+ ((from == ReplayJob.State.PAUSED) ? ", canary_waits_since = null" : "") + which
						+ " and state = :from",
				parameters.addValue("to", to.name())
					.addValue("why", (why != null) ? why.name() : null)
					.addValue("detail", (detail != null) ? HeaderText.bounded(detail, LONGEST_DETAIL) : null)
					.addValue("ended", to.active() ? null : ReplayTables.utc(this.clock.instant()))
					.addValue("from", from.name())) == 1;
	}

	private static MapSqlParameterSource held(Lease lease) {
		return new MapSqlParameterSource("id", lease.jobId()).addValue("owner", lease.owner())
			.addValue("token", lease.token());
	}

	private static StoredJob read(ResultSet row) throws SQLException {
		ReplayOptions options = new ReplayOptions(row.getLong("maximum"), row.getObject("rate", Double.class),
				Duration.ofMillis(row.getLong("ramp_millis")), row.getInt("canary"),
				Duration.ofMillis(row.getLong("canary_millis")), row.getDouble("abort_percent"),
				row.getInt("abort_minimum"), row.getString("target"), row.getBoolean("moved"));
		String why = row.getString("stop_reason");
		return new StoredJob(row.getLong("id"), row.getString("replay_id"), row.getString("application"),
				ReplayJob.State.valueOf(row.getString("state")),
				(why != null) ? ReplayJob.StopReason.valueOf(why) : null, row.getString("detail"),
				row.getString("selection"), options,
				new OperatorAction(row.getString("user_name"), row.getString("reason")), row.getBoolean("edited"),
				at(row, "cut_off"), at(row, "started_at"), instant(row, "ended_at"), instant(row, "canary_waits_since"),
				row.getString("stalled"), instant(row, "stalled_since"), row.getString("lease_owner"));
	}

	private static Instant at(ResultSet row, String column) throws SQLException {
		return row.getObject(column, OffsetDateTime.class).toInstant();
	}

	private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
		return ReplayTables.instant(row.getObject(column, OffsetDateTime.class));
	}

}
