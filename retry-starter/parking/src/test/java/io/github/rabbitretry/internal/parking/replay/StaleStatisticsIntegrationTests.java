/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.util.List;

import io.github.rabbitretry.database.Database;
import io.github.rabbitretry.internal.parking.ledger.JdbcLedger;
import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.parking.ledger.SchemaInitialization;
import io.github.rabbitretry.internal.parking.publication.BatchResult;
import io.github.rabbitretry.internal.parking.publication.ClaimedItem;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.replay.DiscardRequest;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.RestoreRequest;
import io.github.rabbitretry.parking.replay.Selection;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/**
 * PostgreSQL plans by what it knows of a table, and does not know of an act that has just
 * changed the state of all messages.
 */
class StaleStatisticsIntegrationTests {

	private static final int MESSAGES = 20_000;

	private static final int BATCH = 100;

	private static final OperatorAction ACT = new OperatorAction("ops", "TEST");

	private final DriverManagerDataSource dataSource = new DriverManagerDataSource(Database.shared().createDatabase(),
			Database.shared().username(), Database.shared().password());

	private final LedgerSchema schema = new LedgerSchema(this.dataSource, SchemaInitialization.ALWAYS);

	private final JdbcClient jdbc = JdbcClient.create(this.dataSource);

	private final ReplayStores stores = new ReplayStores(this.schema, new JdbcLedger(this.schema), "orders",
			this.schema.clock());

	@BeforeEach
	void fill() {
		this.schema.prepare();
		this.jdbc.sql("alter table rabbit_retry_parked set (autovacuum_enabled = false)").update();
		this.jdbc.sql("alter table rabbit_retry_replay_item set (autovacuum_enabled = false)").update();
		ParkedTable.fill(this.jdbc, MESSAGES);
		this.jdbc.sql("analyze").update();
	}

	@Test
	@Timeout(180)
	void whatWasDiscardedIsRestoredAtOnceDespiteStaleStatistics() {
		DiscardStore discards = new DiscardStore(this.stores);
		assertThat(discards.discard(new DiscardRequest(Selection.of(ParkedFilter.ALL), 100_000, false, ACT)).count())
			.isEqualTo(MESSAGES);
		// so that a plan that takes hours does not
		this.dataSource.setUrl(this.dataSource.getUrl() + (this.dataSource.getUrl().contains("?") ? "&" : "?")
				+ "options=-c%20statement_timeout=20s");
		assertThatCode(() -> assertThat(
				discards.restore(new RestoreRequest(Selection.of(ParkedFilter.ALL), null, 100_000, false, ACT, null))
					.count())
			.isEqualTo(MESSAGES)).doesNotThrowAnyException();
		assertThat(discards.discard(new DiscardRequest(Selection.of(ParkedFilter.ALL), 100_000, false, ACT)).count())
			.isEqualTo(MESSAGES);
	}

	@Test
	@Timeout(180)
	void aReplayReadsNoMoreThanItsBatchesAfterOthersThatStatisticsKnow() {
		select(1);
		this.jdbc.sql("analyze").update();
		select(2);
		int batches = 20;
		long from = 0;
		for (int batch = 0; batch < batches; batch++) {
			from = publishNext(2, from);
		}
		assertThat(rowsRead(2 * batches * BATCH)).isLessThan(20L * batches * BATCH);
	}

	private void select(long job) {
		this.jdbc
			.sql("""
					insert into rabbit_retry_replay_job (id, application, state, selection, user_name, reason, edited,
						cut_off, started_at, maximum, ramp_millis, canary, canary_millis, abort_percent, abort_minimum, lease_token)
					values (:job, 'orders', 'RUNNING', '{}', 'ops', 'TEST', false, now(), now(), 100000, 0, 0, 60000, 100, 1, 0)""")
			.param("job", job)
			.update();
		this.jdbc.sql("""
				insert into rabbit_retry_replay_item (job_id, seq, parked_id, state, state_at)
				select :job, id, id, 'SELECTED', now() from rabbit_retry_parked where state = 'PARKED'""")
			.param("job", job)
			.update();
	}

	private long publishNext(long id, long from) {
		ReplayTables tables = this.stores.tables();
		StoredJob job = this.stores.jobs().get(id);
		List<ClaimedItem> claimed = tables.inTransaction(() -> this.stores.items().claim(job, from, BATCH)).claimed();
		assertThat(claimed).hasSize(BATCH);
		BatchResult result = BatchResult.nothing();
		result.published().addAll(claimed);
		tables.inTransaction(() -> {
			this.stores.items().settle(job, result);
			return true;
		});
		return claimed.get(BATCH - 1).sequence() + 1;
	}

	/** PostgreSQL counts what a connection did once that is closed. */
	private long rowsRead(int changed) {
		String count = "select %s from pg_stat_user_tables where relname = 'rabbit_retry_replay_item'";
		Awaitility.await()
			.until(() -> this.jdbc.sql(count.formatted("n_tup_upd")).query(Long.class).single() >= changed);
		return this.jdbc.sql(count.formatted("seq_tup_read + idx_tup_fetch")).query(Long.class).single();
	}

}
