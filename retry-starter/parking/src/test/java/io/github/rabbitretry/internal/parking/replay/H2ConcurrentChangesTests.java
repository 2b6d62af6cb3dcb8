/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.rabbitretry.internal.parking.ledger.JdbcLedger;
import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.parking.ledger.ParkedSelection;
import io.github.rabbitretry.internal.parking.ledger.SchemaInitialization;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.replay.Preview;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * H2 evaluates a subquery again for each row while others change its tables, which
 * replays do all the time: a few thousand messages took minutes.
 */
class H2ConcurrentChangesTests {

	private static final int MESSAGES = 8_000;

	private final JdbcDataSource dataSource = new JdbcDataSource();

	private final AtomicBoolean ended = new AtomicBoolean();

	private JdbcClient jdbc;

	private ReplayStores stores;

	@BeforeEach
	void fill() {
		this.dataSource.setUrl("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID()));
		LedgerSchema schema = new LedgerSchema(this.dataSource, SchemaInitialization.ALWAYS);
		schema.prepare();
		this.jdbc = JdbcClient.create(this.dataSource);
		this.stores = new ReplayStores(schema, new JdbcLedger(schema), "orders", schema.clock());
		this.jdbc
			.sql("""
					insert into rabbit_retry_failure_kind (id, kind_key, queue, message_type, owner_team, last_reason,
						failure_class, fingerprint, cause, payload_state)
					values (1, X'01', 'order', 'Order', 'team-orders', 'DOWNSTREAM_TIMEOUT', 'transient', 'f1', 'c1', 'WHOLE')""")
			.update();
		this.jdbc
			.sql("""
					insert into rabbit_retry_replay_job (id, replay_id, application, state, selection, user_name, reason, edited,
						cut_off, started_at, maximum, ramp_millis, canary, canary_millis, abort_percent, abort_minimum, lease_token)
					values (1, 'replay-1', 'orders', 'RUNNING', '{}', 'ops', 'TEST', false, current_timestamp,
						current_timestamp, 100000, 0, 0, 60000, 100, 1, 0)""")
			.update();
		park(0, null);
		this.jdbc
			.sql("insert into rabbit_retry_replay_item (job_id, seq, parked_id, state, state_at)"
					+ " select 1, id, id, 'SELECTED', current_timestamp from rabbit_retry_parked")
			.update();
		Thread others = new Thread(this::change);
		others.setDaemon(true);
		others.start();
	}

	private void park(int after, String replay) {
		this.jdbc
			.sql("""
					insert into rabbit_retry_parked (id, ledger_key, kind_id, state, parked_at, first_seen_at, last_failed_at,
						attempt_count, replay_id, replay_item)
					select x + :after, cast(cast(x + :after as varchar) as varbinary), 1, 'PARKED', current_timestamp,
						current_timestamp, current_timestamp, 5, :replay, x from system_range(1, :messages)""")
			.param("after", after)
			.param("replay", replay)
			.param("messages", MESSAGES)
			.update();
	}

	private void change() {
		while (!this.ended.get()) {
			change("update rabbit_retry_replay_job set lease_until = current_timestamp");
			change("update rabbit_retry_parked set last_failed_at = current_timestamp where id = 1");
			change("update rabbit_retry_replay_item set state_at = current_timestamp where seq = 1");
		}
	}

	private void change(String sql) {
		try {
			this.jdbc.sql(sql).update();
		}
		catch (DataAccessException ex) {
			// what is tested changes the row just now
		}
	}

	@AfterEach
	void end() {
		this.ended.set(true);
	}

	@Test
	@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
	void reservationsAreFoundWhileReplaysRun() {
		assertThat(this.stores.previews().reservations(new ParkedSelection(ParkedFilter.ALL)))
			.extracting(Preview.Reservation::messages)
			.containsExactly((long) MESSAGES);
	}

	@Test
	@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
	void messagesParkedAgainAreFoundWhileReplaysRun() {
		this.jdbc.sql("update rabbit_retry_replay_item set state = 'PUBLISHED'").update();
		park(MESSAGES, "replay-1");
		this.stores.outcomes().findParkedAgain(this.stores.jobs().get(1));
		assertThat(this.jdbc.sql("select count(*) from rabbit_retry_replay_item where state = 'PARKED_AGAIN'")
			.query(Integer.class)
			.single()).isEqualTo(MESSAGES);
	}

}
