/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.rabbitretry.internal.parking.ledger.JdbcLedger;
import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.parking.ledger.SchemaInitialization;
import io.github.rabbitretry.internal.parking.ledger.StoredMessages;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.ReplayJob;
import io.github.rabbitretry.parking.replay.ReplayOptions;
import io.github.rabbitretry.parking.replay.Selection;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is kept of replays for how long, on every database.
 */
abstract class ReplayRetentionContract {

	private static final Duration RETENTION = Duration.ofDays(90);

	private static final Instant START = Instant.parse("2026-07-01T12:00:00Z");

	private final AtomicReference<Instant> now = new AtomicReference<>(START);

	private ReplayStores stores;

	private ReplayStores others;

	/** An empty database. */
	abstract DataSource newDatabase();

	@BeforeEach
	void emptyTables() {
		DataSource dataSource = newDatabase();
		LedgerSchema schema = new LedgerSchema(dataSource, SchemaInitialization.ALWAYS);
		schema.prepare();
		StoredMessages.store(dataSource, "m-1");
		this.stores = new ReplayStores(schema, new JdbcLedger(schema), "orders", this.now::get);
		this.others = new ReplayStores(schema, new JdbcLedger(schema), "payments", this.now::get);
	}

	private long job(ReplayStores of, int messages, ReplayJob.@Nullable State end) {
		long job = of.tables()
			.inTransaction(() -> of.jobs()
				.create(Selection.of(ParkedFilter.ALL).toString(), ReplayOptions.unthrottled(1),
						new OperatorAction("ops", "TEST"), true, this.now.get()))
			.id();
		of.tables()
			.jdbc()
			.batchUpdate(
					"insert into rabbit_retry_replay_item (job_id, seq, parked_id, state, state_at)"
							+ " values (:job, :seq, :seq, 'PUBLISHED', current_timestamp)",
					IntStream.rangeClosed(1, messages)
						.mapToObj((number) -> new MapSqlParameterSource("job", job).addValue("seq", number))
						.toArray(SqlParameterSource[]::new));
		if (end != null) {
			ReplayJob.State from = of.jobs().get(job).state();
			assertThat(of.jobs().change(job, from, end, null)).isTrue();
		}
		return job;
	}

	private List<Long> jobs() {
		return this.stores.tables()
			.jdbc()
			.queryForList("select id from rabbit_retry_replay_job order by id", Map.of(), Long.class);
	}

	private List<Long> jobsOfItems() {
		return this.stores.tables()
			.jdbc()
			.queryForList("select distinct job_id from rabbit_retry_replay_item order by job_id", Map.of(), Long.class);
	}

	private int deleteAfter(Duration time) {
		this.now.set(START.plus(time));
		return this.stores.retention().deleteOld(RETENTION, () -> false);
	}

	@Test
	void endedReplaysAreDeletedWithAllOfTheirMessages() {
		job(this.stores, 2_000, ReplayJob.State.FINISHED);
		job(this.stores, 2_001, ReplayJob.State.ABORTED);
		job(this.stores, 0, ReplayJob.State.STOPPED);
		assertThat(deleteAfter(RETENTION)).isZero();
		assertThat(jobs()).hasSize(3);
		assertThat(deleteAfter(RETENTION.plusMillis(1))).isEqualTo(3);
		assertThat(jobs()).isEmpty();
		assertThat(jobsOfItems()).isEmpty();
	}

	@Test
	void whatIsNotOverOrNotOursIsKept() {
		long running = job(this.stores, 3, null);
		long paused = job(this.stores, 3, ReplayJob.State.PAUSED);
		long ofOthers = job(this.others, 3, ReplayJob.State.FINISHED);
		job(this.stores, 3, ReplayJob.State.FINISHED);
		this.now.set(START.plus(Duration.ofDays(50)));
		long recent = job(this.stores, 3, ReplayJob.State.FINISHED);
		assertThat(deleteAfter(Duration.ofDays(100))).isOne();
		assertThat(jobs()).containsExactly(running, paused, ofOthers, recent);
		assertThat(jobsOfItems()).containsExactly(running, paused, ofOthers, recent);
	}

	@Test
	void whatAStopInterruptsIsGoneOnWithLater() {
		job(this.stores, 2_500, ReplayJob.State.FINISHED);
		this.now.set(START.plus(Duration.ofDays(100)));
		AtomicInteger asked = new AtomicInteger();
		assertThat(this.stores.retention().deleteOld(RETENTION, () -> asked.incrementAndGet() > 2)).isZero();
		assertThat(this.stores.tables()
			.jdbc()
			.queryForObject("select count(*) from rabbit_retry_replay_item", Map.of(), Long.class)).isEqualTo(500);
		assertThat(this.stores.retention().deleteOld(RETENTION, () -> false)).isOne();
	}

	@Test
	void auditAndMessagesStay() {
		long job = job(this.stores, 1, ReplayJob.State.FINISHED);
		this.stores.tables()
			.jdbc()
			.update("insert into rabbit_retry_replay_edit (job_id, parked_id, properties, payload)"
					+ " select :job, p.id, c.properties, c.payload from rabbit_retry_parked p"
					+ " join rabbit_retry_parked_content c on c.parked_id = p.id", Map.of("job", job));
		this.stores.tables()
			.jdbc()
			.update("insert into rabbit_retry_audit (acted_at, user_name, act, reason, dry_run, application, message_count)"
					+ " values (current_timestamp, 'ops', 'REPLAY', 'TEST', false, 'orders', 1)", Map.of());
		assertThat(deleteAfter(Duration.ofDays(100))).isOne();
		assertThat(Stream.of("rabbit_retry_replay_edit", "rabbit_retry_audit", "rabbit_retry_parked")
			.map((table) -> this.stores.tables()
				.jdbc()
				.queryForObject("select count(*) from " + table, Map.of(), Long.class)))
			.containsExactly(0L, 1L, 1L);
	}

	@Test
	void instancesThatDeleteTogetherDeleteEachOnce() {
		IntStream.range(0, 5).forEach((number) -> job(this.stores, 1_500, ReplayJob.State.FINISHED));
		this.now.set(START.plus(Duration.ofDays(100)));
		List<CompletableFuture<Integer>> instances = Stream.generate(
				() -> CompletableFuture.supplyAsync(() -> this.stores.retention().deleteOld(RETENTION, () -> false)))
			.limit(3)
			.toList();
		assertThat(instances).allSatisfy((instance) -> assertThat(instance).succeedsWithin(Duration.ofSeconds(30)));
		// one that found a job locked may have left it to another that was about to end
		int deleted = instances.stream().mapToInt(CompletableFuture::join).sum();
		assertThat(deleted + this.stores.retention().deleteOld(RETENTION, () -> false)).isEqualTo(5);
		assertThat(jobs()).isEmpty();
	}

}
