/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.flood;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

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
 * What poison messages, which no handler can read, cost the healthy ones on their queue:
 * both arrive at a steady rate, rounds with poison alternate with rounds without.
 */
public final class FloodBenchmark implements Benchmark {

	static final String QUEUE = "flood.order";

	private static final long LONGEST = TimeUnit.MINUTES.toNanos(2);

	@Override
	public Map<String, Integer> options() {
		return Map.of("--poison", 100_000, "--poison-rate", 2_000, "--healthy-rate", 200, "--rounds", 2, "--warm-up",
				15);
	}

	@Override
	public Map<String, Integer> quick() {
		return Map.of("--poison", 40_000);
	}

	@Override
	public void measure(Options options, Results results) throws Exception {
		Map<String, Object> properties;
		ConnectionFactory factory = new ConnectionFactory();
		try (Broker broker = results.startBroker()) {
			factory.setUri(broker.amqpUri());
			properties = BenchmarkApplication.connectedTo(broker);
			properties.put("rabbit-retry.message-policies.Order.queue", QUEUE);
			try (ConfigurableApplicationContext application = BenchmarkApplication
				.of(properties, BenchmarkApplication.class, OrderListener.class)
				.run(); Connection connection = factory.newConnection("producer")) {
				measure(options, results, application.getBean(OrderListener.class), connection.createChannel());
			}
		}
	}

	private void measure(Options options, Results results, OrderListener listener, Channel channel) throws Exception {
		Traffic traffic = new Traffic(channel, options.get("--healthy-rate"));
		int poisonRate = options.get("--poison-rate");
		int rounds = options.get("--rounds");
		int seconds = Math.max(1, options.get("--poison") / poisonRate / rounds);
		run(traffic, listener, options.get("--warm-up"), poisonRate);
		List<Latencies> without = new ArrayList<>();
		List<Latencies> with = new ArrayList<>();
		for (int round = 0; round < rounds; round++) {
			without.add(run(traffic, listener, seconds, 0));
			with.add(run(traffic, listener, seconds, poisonRate));
		}
		for (int percent : new int[] { 50, 99 }) {
			results.add(Figure.of("p%s without poison".formatted(percent), "ms", millis(without, percent)));
			results.add(Figure.of("p%s with poison".formatted(percent), "ms", millis(with, percent)));
		}
		for (int percent : new int[] { 50, 99 }) {
			List<Double> ratios = new ArrayList<>();
			for (int round = 0; round < rounds; round++) {
				ratios.add(with.get(round).millis(percent) / without.get(round).millis(percent));
			}
			results.add(Figure.of("p%s with poison, by without".formatted(percent), "", ratios).atMost(1.2));
		}
	}

	private static List<Double> millis(List<Latencies> rounds, int percent) {
		return rounds.stream().map((round) -> round.millis(percent)).toList();
	}

	/** Runs one round to the end, when each message is handled or parked. */
	private static Latencies run(Traffic traffic, OrderListener listener, int seconds, int poisonRate)
			throws Exception {
		Latencies latencies = new Latencies();
		listener.record(latencies);
		int healthy = traffic.publish(seconds, poisonRate);
		long end = System.nanoTime() + LONGEST;
		while (latencies.count() < healthy || traffic.parked() < traffic.poison()) {
			if (System.nanoTime() - end > 0) {
				throw new IllegalStateException("%s of %s healthy messages are handled, %s of %s others parked"
					.formatted(latencies.count(), healthy, traffic.parked(), traffic.poison()));
			}
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
		}
		System.err.println(String.format(Locale.ROOT, "%s s, %s poison messages/s: p50 %.2f ms, p99 %.2f ms", seconds,
				poisonRate, latencies.millis(50), latencies.millis(99)));
		return latencies;
	}

}
