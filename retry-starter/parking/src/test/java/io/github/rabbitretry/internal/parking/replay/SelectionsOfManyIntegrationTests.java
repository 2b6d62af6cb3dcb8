/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;

import io.github.rabbitretry.database.Database;
import io.github.rabbitretry.internal.parking.ledger.JdbcLedger;
import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.parking.ledger.ParkedSelection;
import io.github.rabbitretry.internal.parking.ledger.SchemaInitialization;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedState;
import io.github.rabbitretry.parking.replay.DiscardRequest;
import io.github.rabbitretry.parking.replay.Discarded;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.Preview;
import io.github.rabbitretry.parking.replay.ReplayItem;
import io.github.rabbitretry.parking.replay.ReplayJob;
import io.github.rabbitretry.parking.replay.ReplayOptions;
import io.github.rabbitretry.parking.replay.ReplayRefusedException;
import io.github.rabbitretry.parking.replay.RestoreRequest;
import io.github.rabbitretry.parking.replay.Selection;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Acts on many messages while PostgreSQL's statistics still tell what was before the act
 * before. The database ends each statement that takes longer than a minute; with a plan
 * that looks at each message once for each message, they took ten and more.
 */
class SelectionsOfManyIntegrationTests {

	private static final int MESSAGES = 40_000;

	private static final OperatorAction ACT = new OperatorAction("ops-user-123", "SENT_BY_MISTAKE");

	private final InstantSource clock = InstantSource.system();

	private JdbcClient jdbc;

	private ReplayStores stores;

	private DiscardStore discards;

	@BeforeEach
	void emptyTables() {
		Database database = Database.shared();
		DriverManagerDataSource dataSource = new DriverManagerDataSource(database.createDatabase(), database.username(),
				database.password());
		this.jdbc = JdbcClient.create(dataSource);
		setting("statement_timeout", "60s");
		LedgerSchema schema = new LedgerSchema(dataSource, SchemaInitialization.ALWAYS);
		schema.prepare();
		this.stores = new ReplayStores(schema, new JdbcLedger(schema), "orders", this.clock);
		this.discards = new DiscardStore(this.stores);
		this.jdbc.sql("alter table rabbit_retry_parked set (autovacuum_enabled = off)").update();
		this.jdbc.sql("alter table rabbit_retry_replay_item set (autovacuum_enabled = off)").update();
	}

	private void setting(String name, String value) {
		String database = this.jdbc.sql("select current_database()").query(String.class).single();
		this.jdbc.sql("alter database \"%s\" set %s = '%s'".formatted(database, name, value)).update();
	}

	private void parkMany() {
		ParkedTable.fill(this.jdbc, MESSAGES);
	}

	private void analyze() {
		this.jdbc.sql("analyze").update();
	}

	private static Selection all() {
		return Selection.of(ParkedFilter.ALL);
	}

	private DiscardRequest discardAll(boolean dryRun) {
		return new DiscardRequest(all(), MESSAGES, dryRun, ACT);
	}

	private RestoreRequest restoreAll(boolean dryRun) {
		return new RestoreRequest(all(), null, MESSAGES, dryRun, ACT, null);
	}

	private long selected(ParkedSelection selection) {
		return this.stores.tables().inTransaction(() -> {
			this.stores.tables().lockSelections();
			long job = this.stores.jobs()
				.create(all().toString(), ReplayOptions.unthrottled(MESSAGES), ACT, false, Instant.now())
				.id();
			this.stores.items().select(job, selection, MESSAGES);
			return job;
		});
	}

	private void items(long job, ReplayItem.State state) {
		this.jdbc.sql("update rabbit_retry_replay_item set state = ? where job_id = ?")
			.params(state.name(), job)
			.update();
	}

	private static ParkedSelection parked() {
		return new ParkedSelection(ParkedFilter.ALL);
	}

	@Test
	void whatWasDiscardedIsParkedAgainAndDiscardedAgain() {
		parkMany();
		analyze();
		Discarded discarded = this.discards.discard(discardAll(false));
		assertThat(discarded.count()).isEqualTo(MESSAGES);
		assertThat(this.discards.restore(restoreAll(true)).count()).isEqualTo(MESSAGES);
		assertThat(this.discards.restore(restoreAll(false)).count()).isEqualTo(MESSAGES);
		this.discards.discard(discardAll(false));
		analyze();
		this.discards.restore(restoreAll(false));
		assertThat(this.discards.discard(discardAll(false)).count()).isEqualTo(MESSAGES);
	}

	@Test
	void whatAReplayHasJustSelectedIsLeftOut() {
		parkMany();
		items(selected(parked()), ReplayItem.State.SUCCEEDED);
		analyze();
		long job = selected(parked());
		this.jdbc.sql("update rabbit_retry_replay_item set state = 'SUCCEEDED' where job_id = ? and seq <= 100")
			.param(job)
			.update();
		assertThat(this.discards.discard(discardAll(true)).preview().reserved()).singleElement()
			.extracting(Preview.Reservation::messages)
			.isEqualTo(MESSAGES - 100L);
		assertThat(this.discards.discard(discardAll(false)).count()).isEqualTo(100);
	}

	@Test
	void theRestOfAReplayThatHasJustEndedIsSelected() {
		parkMany();
		long old = selected(parked());
		items(old, ReplayItem.State.SUCCEEDED);
		analyze();
		long job = selected(parked());
		this.stores.jobs()
			.change(job, ReplayJob.State.RUNNING, ReplayJob.State.ABORTED, ReplayJob.StopReason.ASKED_FOR);
		long rest = selected(parked().restOf(job).withoutReserved());
		assertThat(this.stores.items().counts(rest).selected()).isEqualTo(MESSAGES);
	}

	@Test
	void whatAReplayThatHasJustEndedPerhapsPublishedIsParkedAgain() {
		parkMany();
		items(selected(parked()), ReplayItem.State.SUCCEEDED);
		analyze();
		long job = selected(parked());
		items(job, ReplayItem.State.UNCERTAIN);
		this.stores.jobs()
			.change(job, ReplayJob.State.RUNNING, ReplayJob.State.ABORTED, ReplayJob.StopReason.ASKED_FOR);
		this.jdbc.sql("update rabbit_retry_parked set state = ?").param(ParkedState.REPLAYED.name()).update();
		assertThat(this.stores.tables().inTransaction(() -> this.stores.outcomes().restore(job, null)))
			.isEqualTo(MESSAGES);
	}

	/** While another act goes on. */
	private ThrowingCallable discardMeanwhile() {
		return () -> this.stores.tables().inTransaction(() -> {
			this.stores.tables().lockSelections();
			return CompletableFuture.supplyAsync(() -> this.discards.discard(discardAll(false))).join();
		});
	}

	@Test
	void anActThatWaitsForAnotherOneTooLongChangesNothingAndSaysSo() {
		ParkedTable.fill(this.jdbc, 3);
		setting("lock_timeout", "200ms");
		assertThatThrownBy(discardMeanwhile()).hasRootCauseInstanceOf(ReplayRefusedException.class)
			.hasMessageContaining("Another request is changing messages");
		assertThat(this.discards.discard(discardAll(true)).count()).isEqualTo(3);
	}

	@Test
	void anActThatTakesTooLongIsEndedByTheDatabaseAndSaysSo() {
		setting("statement_timeout", "1s");
		assertThatThrownBy(discardMeanwhile()).hasRootCauseInstanceOf(ReplayRefusedException.class)
			.hasMessageContaining("it took too long");
	}

	@Test
	void withoutSettingsOfTheDatabaseAnActIsBoundedAllTheSame() {
		setting("statement_timeout", "0");
		String bounds = "select current_setting('statement_timeout') || ' ' || current_setting('lock_timeout')";
		assertThat(this.stores.tables().selecting(() -> this.jdbc.sql(bounds).query(String.class).single()))
			.isEqualTo("10min 30s");
		assertThat(this.jdbc.sql(bounds).query(String.class).single()).isEqualTo("0 0");
	}

}
