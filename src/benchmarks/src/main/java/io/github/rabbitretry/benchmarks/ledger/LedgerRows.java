/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.ledger;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

import javax.sql.DataSource;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Fills a ledger as months with one large outage would: half of the rows are of one
 * failure kind, the others spread over a thousand; what was discarded is old.
 */
final class LedgerRows {

	/** When the newest row was parked. */
	static final Instant NEWEST = Instant.parse("2026-07-01T12:00:00Z");

	/** The time between two rows. */
	static final Duration APART = Duration.ofMillis(2500);

	/** A handler version that parked only what is new. */
	static final String LAST_VERSION = "worker:5";

	private static final String KINDS = """
			insert into rabbit_retry_failure_kind (kind_key, queue, message_type, owner_team, last_reason, failure_class,
				fingerprint, cause, exception, handler_version, consumer, payload_state, search_text)
			select sha256(convert_to(t || '-' || f || '-' || v, 'UTF8')), 'queue.' || t, 'Type' || t, 'team-' || t % 10,
				'REASON_' || f % 8,
				(array['transient', 'contention', 'permanent-technical', 'permanent-business', 'poison'])[f % 5 + 1],
				lpad(to_hex(t * 100 + f), 16, '0'), lpad(to_hex(t * 100 + f), 12, '0'), 'com.acme.Failure' || f || ' <- java.io.IOException', 'worker:' || v,
				'worker', 'WHOLE', 'queue.' || t || ' type' || t || ' reason_' || f % 8 || ' com.acme.failure' || f
			from generate_series(0, 19) t, generate_series(0, 9) f, generate_series(1, 5) v order by v, t, f""";

	private static final String ROWS = """
			insert into rabbit_retry_parked (id, ledger_key, kind_id, state, parked_at, first_seen_at, last_failed_at,
				attempt_count, message_id, correlation_id, aggregate_id, schema_version, producer)
			select n, sha256(convert_to('row' || n, 'UTF8')),
				case when n % 2 = 0 then 1
					else 1 + (n::bigint * 7919) % 200 + 200 * least(4, (n::bigint * 5) / ?) end,
				case when n % 20 = 1 and n < ? / 2 then 'DISCARDED' when n % 10 = 3 then 'REPLAYED' else 'PARKED' end,
				parked_at, parked_at - interval '1 hour', parked_at, 5, 'm-' || n, 'corr-' || n / 3,
				'order-' || n % 50000, '2026-07-01', 'checkout-api'
			from (select n, cast(? as timestamptz) - (? - n) * interval '2500 milliseconds' as parked_at
				from generate_series(1, ?) n) numbered""";

	private static final String CONTENT = """
			insert into rabbit_retry_parked_content (parked_id, payload_hash, exception_message, properties, payload)
			select id, encode(ledger_key, 'hex'), 'I/O error on POST request: Read timed out',
				decode(repeat('00', 600), 'hex'), decode(repeat('7b', 256), 'hex')
			from rabbit_retry_parked""";

	private LedgerRows() {
	}

	static void fill(DataSource dataSource, int rows) {
		JdbcTemplate jdbc = new JdbcTemplate(dataSource);
		System.err.println("filling in " + rows + " rows");
		jdbc.update(KINDS);
		jdbc.update(ROWS, rows, rows, NEWEST.atOffset(ZoneOffset.UTC), rows, rows);
		jdbc.update(CONTENT);
		jdbc.queryForList("select setval('rabbit_retry_parked_id', ?)", rows + 1);
		jdbc.execute("vacuum analyze");
		System.err.println("filled");
	}

}
