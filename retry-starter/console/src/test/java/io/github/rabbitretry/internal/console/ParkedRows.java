/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.database.Database;
import io.github.rabbitretry.internal.parking.mapping.AmqpPropertiesCodec;

import org.springframework.boot.WebApplicationType;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Services whose ledger is a PostgreSQL with many parked messages, written by SQL.
 */
final class ParkedRows {

	/** Messages have ids of this length. */
	static final String FIRST_ID = "m-0000000";

	private static final String KINDS = """
			insert into rabbit_retry_failure_kind (kind_key, queue, message_type, owner_team, last_reason, failure_class,
				fingerprint, cause, exception, root_exception, root_message, handler_version, consumer, payload_state, search_text)
			select sha256(convert_to('kind' || n, 'UTF8')), ?, 'Order', 'team-orders', 'REASON_' || n % 3, 'transient',
				lpad(to_hex(n), 16, '0'), lpad(to_hex(n % ?), 12, '0'), 'com.acme.Failure' || n || ' <- java.io.IOException',
				'java.io.IOException', 'failure ' || n % ?, 'order-worker:' || n % 4, 'order-worker', 'WHOLE',
				'order reason_' || n % 3 || ' com.acme.failure' || n
			from generate_series(0, ? - 1) n order by n""";

	private static final String ROWS = """
			insert into rabbit_retry_parked (id, ledger_key, kind_id, state, parked_at, first_seen_at, last_failed_at,
				attempt_count, message_id, correlation_id, aggregate_id, schema_version)
			select n, sha256(convert_to('row' || n, 'UTF8')), 1 + case when n % 2 = 0 then 0 else n / 2 % ? end, 'PARKED', parked_at,
				parked_at, parked_at, 5, 'm-' || lpad(n::text, 7, '0'), 'corr-' || n / 3, 'order-' || n % 50000, 'v' || n % 5
			from (select n, now() - (? - n) * interval '1 second' as parked_at from generate_series(1, ?) n) numbered""";

	private static final String CONTENT = """
			insert into rabbit_retry_parked_content (parked_id, payload_hash, exception_message, properties, payload)
			select p.id, encode(p.ledger_key, 'hex'), 'failure', overlay((array[%s])[1 + (p.kind_id - 1) %% %d]
				placing convert_to(p.message_id, 'UTF8') from ?), convert_to('{"order":' || p.id || '}', 'UTF8')
			from rabbit_retry_parked p""";

	private ParkedRows() {
	}

	/**
	 * Starts a service.
	 * @param database where its ledger is
	 * @param rows how many messages are parked
	 * @param causes how many causes they have; half of them are of the first one
	 * @param kinds values of the header {@code x-kind}, in turn by cause
	 * @return the service
	 */
	static OrderService start(Database database, int rows, int causes, List<String> kinds) {
		OrderService service = OrderService.start(WebApplicationType.SERVLET, null,
				"spring.datasource.url=" + database.createDatabase(),
				"spring.datasource.username=" + database.username(),
				"spring.datasource.password=" + database.password(), "rabbit-retry.ledger.initialize-schema=always");
		JdbcTemplate jdbc = service.jdbc();
		jdbc.update(KINDS, service.queue(), causes, causes, causes);
		List<Map<String, Object>> indexes = jdbc.queryForList("select indexname, indexdef from pg_indexes"
				+ " where tablename = 'rabbit_retry_parked' and indexdef not like 'CREATE UNIQUE%'");
		// made at once, in a third of the time
		indexes.forEach((index) -> jdbc.execute("drop index " + index.get("indexname")));
		jdbc.update(ROWS, causes, rows, rows);
		indexes.forEach((index) -> jdbc.execute(String.valueOf(index.get("indexdef"))));
		List<byte[]> properties = kinds.stream().map(ParkedRows::properties).toList();
		int place = new String(properties.get(0), StandardCharsets.ISO_8859_1).indexOf(FIRST_ID);
		Object[] arguments = properties.toArray(Object[]::new);
		arguments = Arrays.copyOf(arguments, arguments.length + 1);
		arguments[kinds.size()] = place + 1;
		jdbc.update(CONTENT.formatted(String.join(", ", kinds.stream().map((kind) -> "?").toList()), kinds.size()),
				arguments);
		jdbc.queryForList("select setval('rabbit_retry_parked_id', ?)", rows + 1);
		jdbc.execute("vacuum analyze");
		return service;
	}

	private static byte[] properties(String kind) {
		return AmqpPropertiesCodec.encode(new BasicProperties.Builder().contentType("application/json")
			.deliveryMode(2)
			.messageId(FIRST_ID)
			.headers(Map.of("x-kind", kind))
			.build());
	}

}
