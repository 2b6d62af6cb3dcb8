/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.soak;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import com.rabbitmq.client.AMQP.BasicProperties;
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
 * What a service holds that has been running for a long time: heap after a collection,
 * threads, and what it has on the broker.
 */
public final class SoakBenchmark implements Benchmark {

	private static final String QUEUE = "soak";

	private static final int SAMPLES = 12;

	@Override
	public Map<String, Integer> options() {
		return Map.of("--minutes", 60, "--rate", 200);
	}

	@Override
	public Map<String, Integer> quick() {
		return Map.of("--minutes", 1);
	}

	@Override
	public void measure(Options options, Results results) throws Exception {
		Map<String, List<Double>> samples = new LinkedHashMap<>();
		try (Broker broker = results.startBroker(); ConfigurableApplicationContext application = start(broker)) {
			ConnectionFactory factory = new ConnectionFactory();
			factory.setUri(broker.amqpUri());
			try (Connection connection = factory.newConnection("soak"); Channel channel = connection.createChannel()) {
				channel.confirmSelect();
				int portion = options.get("--minutes") * 60 * options.get("--rate") / SAMPLES;
				for (int sample = 0; sample < SAMPLES; sample++) {
					publish(channel, sample * portion, portion, options.get("--rate"));
					sample(broker)
						.forEach((name, value) -> samples.computeIfAbsent(name, (key) -> new ArrayList<>()).add(value));
				}
				long succeeded = application.getBean(SoakListener.class).succeeded();
				System.err.println("%s of %s messages have succeeded".formatted(succeeded, SAMPLES * portion));
			}
		}
		samples.forEach((name, values) -> results.add(Figure.of(name, "", values)));
		List<Double> heap = samples.get("heap after a collection, MiB");
		results
			.add(Figure.of("heap at the end by heap after the first twelfth", "", heap.get(SAMPLES - 1) / heap.get(0))
				.atMost(1.1));
	}

	private static void publish(Channel channel, int before, int messages, int rate) throws Exception {
		long begin = System.nanoTime();
		for (int number = 1; number <= messages; number++) {
			channel.basicPublish("", QUEUE, true,
					new BasicProperties.Builder().deliveryMode(2).messageId(Integer.toString(before + number)).build(),
					new byte[256]);
			if (number % 100 == 0) {
				channel.waitForConfirmsOrDie(60_000);
			}
			LockSupport.parkNanos(begin + TimeUnit.SECONDS.toNanos(number) / rate - System.nanoTime());
		}
		channel.waitForConfirmsOrDie(60_000);
	}

	private static Map<String, Double> sample(Broker broker) {
		System.gc();
		Map<String, Double> sample = new LinkedHashMap<>();
		sample.put("heap after a collection, MiB",
				ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1048576.0);
		sample.put("threads", (double) ManagementFactory.getThreadMXBean().getThreadCount());
		sample.put("connections", count(broker, "list_connections", "pid"));
		sample.put("channels", count(broker, "list_channels", "pid"));
		sample.put("queues", count(broker, "list_queues", "name"));
		return sample;
	}

	private static double count(Broker broker, String command, String column) {
		return broker.ctl("-q", command, "--no-table-headers", column)
			.lines()
			.filter((line) -> !line.isBlank())
			.count();
	}

	private static ConfigurableApplicationContext start(Broker broker) {
		Map<String, Object> properties = BenchmarkApplication.connectedTo(broker);
		properties.put("benchmark.work", QUEUE);
		properties.putAll(Map.of("rabbit-retry.message-policies.Soak.queue", QUEUE,
				"rabbit-retry.message-policies.Soak.local-attempts", 1,
				"rabbit-retry.message-policies.Soak.broker-attempts", 1,
				"rabbit-retry.message-policies.Soak.retry-backoff", "fixed",
				"rabbit-retry.message-policies.Soak.initial-delay", "1s"));
		return BenchmarkApplication.of(properties, BenchmarkApplication.class, SoakListener.class).run();
	}

}
