/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.ledger;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.zaxxer.hikari.HikariDataSource;
import io.github.rabbitretry.benchmarks.report.Benchmark;
import io.github.rabbitretry.benchmarks.report.Figure;
import io.github.rabbitretry.benchmarks.report.Options;
import io.github.rabbitretry.benchmarks.report.Results;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.database.Database;
import io.github.rabbitretry.internal.parking.ingestion.IngestionSettings;
import io.github.rabbitretry.internal.parking.ingestion.LedgerIngestion;
import io.github.rabbitretry.internal.parking.ledger.JdbcLedger;
import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.parking.ledger.SchemaInitialization;
import io.github.rabbitretry.internal.parking.mapping.ProducerHeaderNames;
import io.github.rabbitretry.internal.parking.mapping.LedgerPolicy;
import io.github.rabbitretry.internal.parking.mapping.Redaction;
import io.github.rabbitretry.internal.policy.ExceptionTexts;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedPage;
import io.github.rabbitretry.parking.message.ParkedState;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;

/**
 * A ledger with many rows on a PostgreSQL of its own: how long each search takes, warm,
 * and how fast parked messages come in.
 */
public final class LedgerBenchmark implements Benchmark {

	private static final int PAGE = 50;

	private static final int WARM_UP = 10;

	private static final String QUEUE = "ledger.benchmark";

	@Override
	public Map<String, Integer> options() {
		return Map.of("--rows", 1_000_000, "--calls", 100, "--messages", 50_000);
	}

	@Override
	public Map<String, Integer> quick() {
		return Map.of("--rows", 200_000, "--calls", 30, "--messages", 20_000);
	}

	@Override
	public void measure(Options options, Results results) throws Exception {
		int rows = options.get("--rows");
		try (Database database = results.startDatabase(); HikariDataSource dataSource = new HikariDataSource()) {
			dataSource.setJdbcUrl(database.createDatabase());
			dataSource.setUsername(database.username());
			dataSource.setPassword(database.password());
			LedgerSchema schema = new LedgerSchema(dataSource, SchemaInitialization.ALWAYS);
			schema.prepare();
			LedgerRows.fill(dataSource, rows);
			Ledger ledger = new JdbcLedger(schema);
			double worst = 0;
			for (Map.Entry<String, Search> search : searches(ledger, rows).entrySet()) {
				double p95 = measure(search.getValue(), options.get("--calls"));
				results.add(Figure.of("search " + search.getKey() + ", p95", "ms", p95).atMost(100));
				worst = Math.max(worst, p95);
			}
			try (Broker broker = results.startBroker()) {
				double ingested = ingest(broker, schema, ledger, options.get("--messages"));
				results.add(Figure.of("ingestion", "messages/s", ingested).atLeast(10_000));
			}
			results.add(Figure.of("worst p95", "ms", worst).atMost(100));
		}
	}

	private static Map<String, Search> searches(Ledger ledger, int rows) {
		Map<String, Search> searches = new LinkedHashMap<>();
		Map<String, ParkedFilter> filters = filters();
		filters
			.forEach((name, filter) -> searches.put(name, () -> ledger.search(filter, null, PAGE).messages().size()));
		ParkedPage.PageKey middle = new ParkedPage.PageKey(
				LedgerRows.NEWEST.minus(LedgerRows.APART.multipliedBy(rows / 2)), Long.MAX_VALUE);
		searches.put("page in the middle", () -> ledger.search(ParkedFilter.ALL, middle, PAGE).messages().size());
		searches.put("page in the middle, by owner",
				() -> ledger.search(filters.get("owner"), middle, PAGE).messages().size());
		searches.put("one message, whole", () -> ledger.find(rows / 2).isPresent() ? 1 : 0);
		searches.put("groups", () -> ledger.groups(ParkedFilter.ALL, PAGE).size());
		searches.put("groups, PARKED",
				() -> ledger.groups(ParkedFilter.ALL.withState(ParkedState.PARKED), PAGE).size());
		searches.put("groups, by owner", () -> ledger.groups(filters.get("owner"), PAGE).size());
		searches.put("groups, by part of a text", () -> ledger.groups(filters.get("part of a text"), PAGE).size());
		searches.put("groups, of a day", () -> ledger.groups(filters.get("date range"), PAGE).size());
		searches.put("groups new since a version",
				() -> ledger.groupsNewSince(ParkedFilter.ALL, LedgerRows.LAST_VERSION, PAGE).size());
		searches.put("count", () -> ledger.count(ParkedFilter.ALL));
		searches.put("count, PARKED", () -> ledger.count(ParkedFilter.ALL.withState(ParkedState.PARKED)));
		searches.put("count, of a day", () -> ledger.count(filters.get("date range")));
		searches.put("count, by part of a text", () -> ledger.count(filters.get("part of a text")));
		searches.put("count, by reason", () -> ledger.count(filters.get("reason")));
		return searches;
	}

	private static Map<String, ParkedFilter> filters() {
		ParkedFilter all = ParkedFilter.ALL;
		Instant day = LedgerRows.NEWEST.minus(Duration.ofDays(10));
		Map<String, ParkedFilter> filters = new LinkedHashMap<>();
		filters.put("all", all);
		filters.put("queue", all.withQueue("queue.7"));
		filters.put("queue of half of the rows", all.withQueue("queue.0"));
		filters.put("message type", all.withMessageType("Type7"));
		filters.put("reason", all.withReason("REASON_3"));
		filters.put("failure class", all.withFailureClass("contention"));
		filters.put("fingerprint", all.withFingerprint("00000000000000c9"));
		filters.put("date range", all.withParkedFrom(day).withParkedBefore(day.plus(Duration.ofDays(1))));
		filters.put("correlation id", all.withCorrelationId("corr-1000"));
		filters.put("aggregate id", all.withAggregateId("order-77"));
		filters.put("message id", all.withMessageId("m-4711"));
		filters.put("owner", all.withOwner("team-3"));
		filters.put("handler version", all.withHandlerVersion("worker:2"));
		filters.put("part of a text", all.withText("failure7"));
		filters.put("state PARKED", all.withState(ParkedState.PARKED));
		filters.put("state DISCARDED, all of it old", all.withState(ParkedState.DISCARDED));
		filters.put("queue, reason, date range",
				all.withQueue("queue.7")
					.withReason("REASON_3")
					.withParkedFrom(day)
					.withParkedBefore(day.plusSeconds(86_400)));
		filters.put("owner, version, class, state",
				all.withOwner("team-3")
					.withHandlerVersion("worker:2")
					.withFailureClass("contention")
					.withState(ParkedState.PARKED));
		filters.put("two frequent values that never meet", all.withOwner("team-0").withMessageType("Type7"));
		filters.put("nothing", all.withOwner("nobody"));
		return filters;
	}

	private static double measure(Search search, int calls) {
		for (int call = 0; call < WARM_UP; call++) {
			search.run();
		}
		double[] millis = new double[calls];
		for (int call = 0; call < calls; call++) {
			long begin = System.nanoTime();
			search.run();
			millis[call] = (System.nanoTime() - begin) / 1e6;
		}
		Arrays.sort(millis);
		return millis[(int) Math.ceil(calls * 0.95) - 1];
	}

	private static double ingest(Broker broker, LedgerSchema schema, Ledger ledger, int messages) throws Exception {
		String parkingLot = QUEUE + ".parking-lot";
		ConnectionFactory factory = new ConnectionFactory();
		factory.setUri(broker.amqpUri());
		try (Connection connection = factory.newConnection(); Channel channel = connection.createChannel()) {
			channel.queueDeclare(parkingLot, true, false, false,
					Map.of("x-queue-type", "quorum", "x-delivery-limit", -1));
			channel.confirmSelect();
			for (int number = 0; number < messages; number++) {
				channel.basicPublish("", parkingLot, true, properties(number), new byte[256]);
				if (number % 1000 == 999) {
					channel.waitForConfirmsOrDie(60_000);
				}
			}
			channel.waitForConfirmsOrDie(60_000);
			ParkedFilter taken = ParkedFilter.ALL.withQueue(QUEUE);
			CachingConnectionFactory connections = new CachingConnectionFactory(
					URI.create(broker.amqpUri().toString()));
			LedgerIngestion ingestion = new LedgerIngestion(connections, schema,
					List.of(new LedgerPolicy("Order", "team-orders", QUEUE, parkingLot, null, Redaction.NONE,
							ExceptionTexts.FULL, Map.of())),
					new ProducerHeaderNames(List.of("aggregate-id"), List.of(), List.of(), List.of(), List.of()),
					new IngestionSettings(200, IngestionSettings.DEFAULT_BATCH_BYTES), false);
			long begin = System.nanoTime();
			ingestion.start();
			while (ledger.count(taken) < messages) {
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
			}
			double seconds = (System.nanoTime() - begin) / 1e9;
			ingestion.stop();
			connections.destroy();
			return messages / seconds;
		}
	}

	private static BasicProperties properties(int number) {
		String now = Instant.now().toString();
		Map<String, Object> headers = new LinkedHashMap<>(
				Map.of("x-app-retry-attempt", 5, "x-app-retry-reason", "RETRY_BUDGET_EXHAUSTED", "x-app-retry-class",
						"transient", "x-app-first-failure-at", now, "x-app-last-failure-at", now, "x-app-parked-at",
						now, "x-app-failure-fingerprint", "00000000deadbeef", "x-app-handler-version", "worker:1",
						"aggregate-id", "order-" + number, "x-app-handover-id", (long) number));
		headers.put("x-app-exception",
				"org.springframework.web.client.ResourceAccessException <- java.net.SocketTimeoutException");
		headers.put("x-app-exception-message", "I/O error on POST request: Read timed out");
		return new BasicProperties.Builder().contentType("application/json")
			.deliveryMode(2)
			.messageId("taken-" + number)
			.headers(headers)
			.build();
	}

	/** What is measured. */
	private interface Search {

		long run();

	}

}
