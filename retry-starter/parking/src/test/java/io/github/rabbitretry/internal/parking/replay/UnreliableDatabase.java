/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.rabbitretry.internal.parking.ledger.JdbcLedger;
import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.parking.ledger.SchemaInitialization;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A database in memory to which connections can fail.
 */
final class UnreliableDatabase extends DelegatingDataSource {

	private final JdbcDataSource h2 = new JdbcDataSource();

	private final AtomicInteger faults = new AtomicInteger();

	private volatile @Nullable Fault fault;

	UnreliableDatabase() {
		this.h2.setUrl("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID()));
		setTargetDataSource(this.h2);
	}

	@Override
	public Connection getConnection() throws SQLException {
		Fault now = this.fault;
		if (now != null) {
			this.faults.incrementAndGet();
			now.happen();
		}
		return super.getConnection();
	}

	/** From now on, until {@link #heal()}. */
	void fail(Fault fault) {
		this.fault = fault;
	}

	void away() {
		fail(() -> {
			throw new SQLException("away");
		});
	}

	void heal() {
		this.fault = null;
	}

	/** How many connections have begun to fail. */
	int faults() {
		return this.faults.get();
	}

	/** Never fails. */
	JdbcClient jdbc() {
		return JdbcClient.create(this.h2);
	}

	ReplayStores stores() {
		LedgerSchema schema = new LedgerSchema(this, SchemaInitialization.ALWAYS);
		schema.prepare();
		return new ReplayStores(schema, new JdbcLedger(schema), "orders", schema.clock());
	}

	/** Job 1, all of whose messages are published. */
	void job(String state, int messages) {
		job(1, state, messages);
	}

	void job(int id, String state, int messages) {
		jdbc()
			.sql("""
					insert into rabbit_retry_replay_job (id, replay_id, application, state, selection, user_name, reason, edited,
						cut_off, started_at, canary_waits_since, maximum, ramp_millis, canary, canary_millis, abort_percent,
						abort_minimum, lease_token)
					values (:id, 'replay-20260701-' || :id, 'orders', :state, '{}', 'ops', 'TEST', false, current_timestamp,
						current_timestamp, case :state when 'CANARY' then current_timestamp - interval '1' hour end, 100000, 0, 1,
						60000, 100, 1, 0)""")
			.param("id", id)
			.param("state", state)
			.update();
		jdbc()
			.sql("insert into rabbit_retry_replay_item (job_id, seq, parked_id, state, state_at)"
					+ " select :id, x, x, 'PUBLISHED', current_timestamp from system_range(1, :messages)")
			.param("id", id)
			.param("messages", messages)
			.update();
	}

	/** What happens to who connects. */
	interface Fault {

		void happen() throws SQLException;

	}

}
