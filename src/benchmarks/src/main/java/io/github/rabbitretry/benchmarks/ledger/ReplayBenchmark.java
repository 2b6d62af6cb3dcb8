/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.ledger;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.benchmarks.report.Benchmark;
import io.github.rabbitretry.benchmarks.report.BenchmarkApplication;
import io.github.rabbitretry.benchmarks.report.Figure;
import io.github.rabbitretry.benchmarks.report.Options;
import io.github.rabbitretry.benchmarks.report.Results;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.database.Database;
import io.github.rabbitretry.internal.parking.mapping.AmqpPropertiesCodec;
import io.github.rabbitretry.internal.parking.publication.ReplaySettings;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.ReplayJob;
import io.github.rabbitretry.parking.replay.ReplayOptions;
import io.github.rabbitretry.parking.replay.ReplayRequest;
import io.github.rabbitretry.parking.replay.ReplayService;
import io.github.rabbitretry.parking.replay.Selection;

import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * How fast parked messages are replayed without a rate, and what memory that takes. The
 * heap is looked at after a collection, each time a tenth is published.
 */
public final class ReplayBenchmark implements Benchmark {

	private static final String QUEUE = "replay.benchmark";

	private static final int TENTHS = 10;

	@Override
	public Map<String, Integer> options() {
		return Map.of("--messages", 200_000, "--in-flight", 100);
	}

	@Override
	public Map<String, Integer> quick() {
		return Map.of("--messages", 40_000);
	}

	@Override
	public void measure(Options options, Results results) throws Exception {
		int messages = options.get("--messages");
		try (Database database = results.startDatabase();
				Broker broker = results.startBroker();
				ConfigurableApplicationContext application = start(database, broker, options.get("--in-flight"))) {
			fill(application.getBean(JdbcTemplate.class), messages);
			replay(application, messages, results);
		}
	}

	private static ConfigurableApplicationContext start(Database database, Broker broker, int inFlight) {
		Map<String, Object> properties = BenchmarkApplication.connectedTo(broker);
		properties.put("spring.datasource.url", database.createDatabase());
		properties.put("spring.datasource.username", database.username());
		properties.put("spring.datasource.password", database.password());
		properties.put("rabbit-retry.ledger.enabled", true);
		properties.put("rabbit-retry.ledger.ingest", false);
		properties.put("rabbit-retry.ledger.initialize-schema", "always");
		properties.put("rabbit-retry.message-policies.Benchmark.queue", QUEUE);
		ReplaySettings settings = new ReplaySettings(Duration.ofSeconds(30), inFlight, Duration.ofSeconds(1), 4,
				Duration.ofSeconds(30), Duration.ofDays(90), false);
		return BenchmarkApplication.of(properties, Application.class)
			.initializers((context) -> context.getBeanFactory().registerSingleton("replaySettings", settings))
			.run();
	}

	private static void fill(JdbcTemplate jdbc, int messages) {
		BasicProperties properties = new BasicProperties.Builder().contentType("application/json")
			.deliveryMode(2)
			.messageId("6f9619ff-8b86-d011-b42d-00cf4fc964ff")
			.headers(Map.of("x-app-retry-attempt", 5, "x-app-retry-reason", "DOWNSTREAM_TIMEOUT",
					"x-app-origin-exchange", "orders", "x-app-origin-routing-key", "order.create", "tenant", "t"))
			.build();
		jdbc.update(
				"""
						insert into rabbit_retry_failure_kind (id, kind_key, queue, message_type, owner_team, last_reason,
							failure_class, fingerprint, cause, payload_state)
						values (1, '\\x01', ?, 'Benchmark', 'nobody', 'DOWNSTREAM_TIMEOUT', 'transient', 'f1', 'c1', 'WHOLE')""",
				QUEUE);
		jdbc.update(
				"""
						insert into rabbit_retry_parked (id, ledger_key, kind_id, state, parked_at, first_seen_at, last_failed_at,
							attempt_count, message_id)
						select n, sha256(convert_to('row' || n, 'UTF8')), 1, 'PARKED', now() - interval '1 hour', now(), now(), 5,
							'm-' || n from generate_series(1, ?) n""",
				messages);
		jdbc.update("""
				insert into rabbit_retry_parked_content (parked_id, payload_hash, properties, payload)
				select n, 'none', ?, decode(repeat('7b', 256), 'hex') from generate_series(1, ?) n""",
				AmqpPropertiesCodec.encode(properties), messages);
		jdbc.execute("vacuum analyze");
	}

	private static void replay(ConfigurableApplicationContext application, int messages, Results results)
			throws Exception {
		ReplayService replays = application.getBean(ReplayService.class);
		List<Double> heaps = new ArrayList<>();
		heaps.add(heap());
		long begun = System.nanoTime();
		ReplayJob job = replays.start(new ReplayRequest(Selection.of(ParkedFilter.ALL),
				ReplayOptions.unthrottled(messages), new OperatorAction("benchmark", "measuring")));
		results.add(Figure.of("selecting %s messages".formatted(job.counts().selected()), "s",
				(System.nanoTime() - begun) / 1e9));
		long published = System.nanoTime();
		ReplayJob now = job;
		while (now.state() != ReplayJob.State.FINISHED) {
			now = replays.jobs(null, 1).get(0);
			ReplayJob.Counts counts = now.counts();
			long done = counts.selected() - counts.waiting();
			if (done * TENTHS / messages >= heaps.size() && heaps.size() < TENTHS) {
				heaps.add(heap());
			}
			synchronized (job) {
				job.wait(1_000);
			}
		}
		double seconds = (System.nanoTime() - published) / 1e9;
		heaps.add(heap());
		Object count = application.getBean(AmqpAdmin.class).getQueueProperties(QUEUE).get("QUEUE_MESSAGE_COUNT");
		if (!String.valueOf(count).equals(String.valueOf(messages))) {
			throw new IllegalStateException("the queue has %s messages, not %s".formatted(count, messages));
		}
		results.add(Figure.of("heap in use after a collection", "MiB", heaps));
		results.add(Figure.of("rate", "messages/s", messages / seconds).atLeast(10_000));
	}

	private static double heap() {
		System.gc();
		Runtime runtime = Runtime.getRuntime();
		return (runtime.totalMemory() - runtime.freeMemory()) / (1024.0 * 1024);
	}

	/** With a ledger. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
