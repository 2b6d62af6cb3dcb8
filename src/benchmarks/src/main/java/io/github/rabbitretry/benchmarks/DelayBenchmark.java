/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.github.rabbitretry.broker.Broker;

/**
 * How exact delays are that are asked for while others wait: ours, and a TTL per message
 * in one queue, at the same time, with the same delays.
 */
public final class DelayBenchmark {

	/** All others still wait when the delays are asked for. */
	private static final Duration SHORTEST_OTHER = Duration.ofSeconds(15);

	private final Numbers options;

	private DelayBenchmark(Numbers options) {
		this.options = options;
	}

	/**
	 * Measures and prints.
	 * @param arguments {@code --asked}, {@code --others}, {@code --longest} in seconds,
	 * {@code --seed}
	 */
	public static void main(String[] arguments) {
		Program.main(() -> new DelayBenchmark(
				Numbers.of(arguments, Map.of("--asked", 20, "--others", 10_000, "--longest", 120, "--seed", 1)))
			.run());
	}

	private void run() throws Exception {
		Random random = new Random(this.options.get("--seed"));
		Duration longest = Duration.ofSeconds(this.options.get("--longest"));
		List<Duration> asked = DelayRun.random(random, this.options.get("--asked"), Duration.ofSeconds(1), longest);
		List<Duration> others = DelayRun.random(random, this.options.get("--others"), SHORTEST_OTHER,
				longest.plus(SHORTEST_OTHER));
		try (Broker broker = Broker.start()) {
			System.err.println(broker.description());
			ConnectionFactory factory = new ConnectionFactory();
			factory.setUri(broker.amqpUri());
			try (Connection connection = factory.newConnection("benchmark")) {
				List<DelayRun> runs = new ArrayList<>();
				for (DelayMechanism way : List.of(new LadderDelay(), new MessageTtlDelay())) {
					DelayRun run = new DelayRun(way, others, asked);
					run.begin(connection);
					runs.add(run);
				}
				print(runs);
			}
			System.out.println();
			System.out.println("%d delays from 1 s to %d s, beside %d others; seed %d; %d cores, RabbitMQ %s".formatted(
					asked.size(), longest.toSeconds(), others.size(), this.options.get("--seed"),
					Runtime.getRuntime().availableProcessors(), broker.version()));
		}
	}

	private static void print(List<DelayRun> runs) throws InterruptedException {
		System.out.println("%-47s | %10s | %8s | %8s | %8s | %s".formatted("late by, in ms", "min", "p50", "p95", "max",
				"within max(1 s, 2 %), never early"));
		for (DelayRun run : runs) {
			Lateness late = run.await();
			System.out.println("%-47s | %10d | %8d | %8d | %8d | %d of %d".formatted(late.name(), late.millis(0),
					late.millis(0.5), late.millis(0.95), late.millis(1), late.exact(), late.sorted().size()));
		}
	}

}
