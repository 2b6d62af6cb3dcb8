/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.startup;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.github.rabbitretry.benchmarks.report.Benchmark;
import io.github.rabbitretry.benchmarks.report.BenchmarkApplication;
import io.github.rabbitretry.benchmarks.report.Figure;
import io.github.rabbitretry.benchmarks.report.Options;
import io.github.rabbitretry.benchmarks.report.Results;
import io.github.rabbitretry.broker.Broker;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * Threads and connections of an application that has nothing to do, with policies and
 * without.
 */
public final class IdleBenchmark implements Benchmark {

	private static final Pattern NUMBER = Pattern.compile("\\d[.:\\d]*");

	private static final long LOOK_AGAIN = TimeUnit.SECONDS.toNanos(1);

	@Override
	public Map<String, Integer> options() {
		return Map.of("--types", 10, "--seconds", 75);
	}

	@Override
	public Map<String, Integer> quick() {
		return Map.of("--seconds", 20);
	}

	@Override
	public void measure(Options options, Results results) throws Exception {
		int types = options.get("--types");
		try (Broker broker = results.startBroker()) {
			declare(broker, types);
			// what the JVM starts once and keeps
			idle(broker, types, "without", 1);
			Usage without = idle(broker, types, "without", options.get("--seconds"));
			idle(broker, types, "with", 1);
			Usage with = idle(broker, types, "with", options.get("--seconds"));
			without.print("without policies");
			with.print("with policies");
			results.add(Figure.of("threads without policies", "", without.count()));
			results.add(Figure.of("connections without policies", "", without.connections));
			results.add(
					Figure.of("connections because of policies", "", with.connections - without.connections).atMost(2));
			results.add(Figure.of("threads because of policies", "", with.count() - without.count()).atMost(8));
		}
	}

	/** As an application without us has to. */
	private static void declare(Broker broker, int types) throws Exception {
		ConnectionFactory factory = new ConnectionFactory();
		factory.setUri(broker.amqpUri());
		try (Connection connection = factory.newConnection(); Channel channel = connection.createChannel()) {
			for (int type = 0; type < types; type++) {
				channel.queueDeclare(ManyTypes.queue("without", type), true, false, false,
						Map.of("x-queue-type", "quorum"));
			}
		}
	}

	private static Usage idle(Broker broker, int types, String prefix, int seconds) {
		Map<String, Object> properties = BenchmarkApplication.connectedTo(broker);
		properties.putAll(ManyTypes.listeners(prefix, types));
		if (prefix.equals("with")) {
			properties.putAll(ManyTypes.policies(prefix, types));
		}
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		try (ConfigurableApplicationContext context = BenchmarkApplication
			.of(properties, BenchmarkApplication.class, ManyTypes.class)
			.run()) {
			System.err.println("%s policies, idle for %s s".formatted(prefix, seconds));
			long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
			while (System.nanoTime() - end < 0) {
				LockSupport.parkNanos(LOOK_AGAIN);
			}
			Map<String, Integer> threads = new TreeMap<>();
			for (Thread thread : Thread.getAllStackTraces().keySet()) {
				if (!before.contains(thread)) {
					threads.merge(NUMBER.matcher(thread.getName()).replaceAll("N"), 1, Integer::sum);
				}
			}
			return new Usage(threads, broker.ctl("-q", "list_connections", "name").split(" -> ", -1).length - 1);
		}
	}

	/** What an application has more than its JVM had before. */
	private record Usage(Map<String, Integer> threads, int connections) {

		private int count() {
			return this.threads.values().stream().mapToInt(Integer::intValue).sum();
		}

		private void print(String title) {
			System.err
				.println("%s: %s threads %s, %s connections".formatted(title, count(), this.threads, this.connections));
		}

	}

}
