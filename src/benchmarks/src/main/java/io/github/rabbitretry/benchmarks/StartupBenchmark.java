/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.TopologyParts;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * How long an application with hundreds of message types takes to start, by ring: on a
 * fresh broker, on one where all is declared already, and there without looking at it.
 */
public final class StartupBenchmark {

	private final int types;

	private final int rounds;

	private StartupBenchmark(Numbers options) {
		this.types = options.get("--types");
		this.rounds = options.get("--rounds");
	}

	/**
	 * Measures and prints.
	 * @param arguments {@code --types}, {@code --rounds}
	 */
	public static void main(String[] arguments) {
		Program.main(() -> new StartupBenchmark(Numbers.of(arguments, Map.of("--types", 300, "--rounds", 3))).run());
	}

	private void run() {
		String version = "";
		System.out.println("ring     | queues | exchanges | fresh broker | all declared | mode none");
		for (String ring : List.of("shared", "per-type")) {
			try (Broker broker = Broker.start()) {
				System.err.println(broker.description());
				version = broker.version();
				print(measure(broker, ring));
				if (broker.canControl()) {
					// to stop in order takes long with thousands of queues
					broker.kill();
				}
			}
		}
		System.out.println();
		System.out.println("%d message types, each with a listener; median of %d after the first; %d cores, RabbitMQ %s"
			.formatted(this.types, this.rounds, Runtime.getRuntime().availableProcessors(), version));
	}

	private static void print(Row row) {
		System.out.println(String.format(Locale.ROOT, "%-8s | %6d | %9d | %10.1f s | %10.1f s | %7.1f s", row.ring,
				row.queues, row.exchanges, row.fresh, row.declared, row.unseen));
	}

	private Row measure(Broker broker, String ring) {
		// classes are to be loaded, and queues of another name declared, before it counts
		start(broker, 1, Map.of("rabbit-retry.message-policies.Type0.queue", "warm.up", "rabbit-retry.defaults.ring",
				ring, "spring.rabbitmq.listener.simple.auto-startup", false));
		Start fresh = start(broker, this.types, Map.of("rabbit-retry.defaults.ring", ring));
		double declared = median(broker, Map.of("rabbit-retry.defaults.ring", ring));
		double unseen = median(broker,
				Map.of("rabbit-retry.defaults.ring", ring, "rabbit-retry.topology.mode", "none"));
		return new Row(ring, fresh.parts.queues().size(), fresh.parts.exchanges().size(), fresh.seconds, declared,
				unseen);
	}

	private double median(Broker broker, Map<String, Object> properties) {
		List<Double> seconds = new ArrayList<>();
		for (int round = 0; round < this.rounds; round++) {
			seconds.add(start(broker, this.types, properties).seconds);
		}
		Collections.sort(seconds);
		return seconds.get(seconds.size() / 2);
	}

	private static Start start(Broker broker, int types, Map<String, Object> more) {
		Map<String, Object> properties = new HashMap<>();
		properties.put("spring.rabbitmq.host", broker.host());
		properties.put("spring.rabbitmq.port", broker.port());
		properties.put("spring.rabbitmq.username", broker.username());
		properties.put("spring.rabbitmq.password", broker.password());
		properties.put("spring.rabbitmq.virtual-host", broker.virtualHost());
		properties.put("benchmark.types", types);
		for (int type = 0; type < types; type++) {
			properties.put("rabbit-retry.message-policies.Type%d.queue".formatted(type), ManyTypes.queue(type));
		}
		properties.putAll(more);
		long begin = System.nanoTime();
		ConfigurableApplicationContext context = new SpringApplicationBuilder(ManyTypes.class)
			.web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.logStartupInfo(false)
			.registerShutdownHook(false)
			.properties(properties)
			.run();
		double seconds = (System.nanoTime() - begin) / 1e9;
		System.err.println(String.format(Locale.ROOT, "%s: %d types started in %.1f s", more, types, seconds));
		TopologyParts parts = TopologyParts
			.of(context.getBean(MessagePolicies.class).all().stream().map(MessagePolicy::topology).toList());
		long stop = System.nanoTime();
		context.close();
		System.err.println(String.format(Locale.ROOT, "stopped in %.1f s", (System.nanoTime() - stop) / 1e9));
		return new Start(seconds, parts);
	}

	/** What a start came to. */
	private record Start(double seconds, TopologyParts parts) {
	}

	private record Row(String ring, int queues, int exchanges, double fresh, double declared, double unseen) {
	}

}
