/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.Duration;
import java.util.UUID;

import io.github.rabbitretry.internal.parking.ledger.JdbcLedger;
import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.parking.ledger.SchemaInitialization;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The holder of a replay has died, and the database's clock was set back meanwhile.
 */
class LeaseOfAClockSetBackTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private final JdbcDataSource dataSource = new JdbcDataSource();

	@Test
	void anotherInstanceTakesTheReplayOverWhenAWholeLeaseHasPassed() {
		this.dataSource.setUrl("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID()));
		LedgerSchema schema = new LedgerSchema(this.dataSource, SchemaInitialization.ALWAYS);
		schema.prepare();
		JobStore jobs = new ReplayStores(schema, new JdbcLedger(schema), "orders", schema.clock()).jobs();
		JdbcClient jdbc = JdbcClient.create(this.dataSource);
		jdbc.sql(
				"""
						insert into rabbit_retry_replay_job (id, replay_id, application, state, selection, user_name, reason, edited,
							cut_off, started_at, maximum, ramp_millis, canary, canary_millis, abort_percent, abort_minimum, lease_token,
							lease_owner, lease_until)
						values (1, 'replay-1', 'orders', 'RUNNING', '{}', 'ops', 'TEST', false, current_timestamp,
							current_timestamp, 100000, 0, 0, 60000, 100, 1, 1, 'dead', current_timestamp + interval '20' second)""")
			.update();
		assertThat(jobs.acquire(1, "other", LEASE)).as("a lease that may be held").isEmpty();
		jdbc.sql("update rabbit_retry_replay_job set lease_until = current_timestamp + interval '1' hour").update();
		jobs.shortenLeases();
		assertThat(jobs.acquire(1, "other", LEASE)).as("one that lives renews it in that time").isEmpty();
		assertThat(jobs.waiting()).isEmpty();
		Integer left = jdbc.sql(
				"select count(*) from rabbit_retry_replay_job where lease_until < current_timestamp + interval '31' second")
			.query(Integer.class)
			.single();
		assertThat(left).isOne();
		jdbc.sql("update rabbit_retry_replay_job set lease_until = current_timestamp - interval '1' second").update();
		assertThat(jobs.acquire(1, "other", LEASE)).isPresent();
		assertThat(jobs.acquire(1, "third", LEASE)).isEmpty();
	}

}
