/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import io.github.rabbitretry.internal.parking.mapping.AmqpPropertiesCodec;
import io.github.rabbitretry.it.TestBroker;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Many parked messages at once, on PostgreSQL.
 */
final class ParkedTable {

	private ParkedTable() {
	}

	/** Straight into the tables, as ingestion has a test of its own. */
	static void fill(JdbcClient jdbc, int messages) {
		jdbc.sql(
				"""
						insert into rabbit_retry_failure_kind (id, kind_key, queue, message_type, owner_team, last_reason,
							failure_class, fingerprint, cause, payload_state)
						values (1, '\\x01', 'order', 'Order', 'team-orders', 'DOWNSTREAM_TIMEOUT', 'transient', 'f1', 'c1', 'WHOLE')""")
			.update();
		jdbc.sql(
				"""
						insert into rabbit_retry_parked (id, ledger_key, kind_id, state, parked_at, first_seen_at, last_failed_at,
							attempt_count, message_id)
						select n, decode(lpad(to_hex(n), 64, '0'), 'hex'), 1, 'PARKED', now() - interval '1 hour', now(), now(), 5,
							'm-' || n from generate_series(1, :messages) n""")
			.param("messages", messages)
			.update();
		jdbc.sql("""
				insert into rabbit_retry_parked_content (parked_id, payload_hash, properties, payload)
				select n, 'none', :properties, convert_to(n::text, 'UTF8') from generate_series(1, :messages) n""")
			.param("properties", AmqpPropertiesCodec.encode(TestBroker.json("m").headers(ParkedLot.envelope()).build()))
			.param("messages", messages)
			.update();
	}

}
