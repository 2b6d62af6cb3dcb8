/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks;

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.github.rabbitretry.broker.Broker;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * What a service holds that has been running for a long time: heap after a collection,
 * threads, and what it has on the broker.
 */
public final class SoakBenchmark {

	private static final String QUEUE = "soak";

	private static final int SAMPLES = 12;

	private final int minutes;

	private final int perSecond;

	private long sent;

	private SoakBenchmark(Numbers options) {
		this.minutes = options.get("--minutes");
		this.perSecond = options.get("--per-second");
	}

	/**
	 * Measures and prints; the broker must be one that this command starts, since all its
	 * connections and queues are counted.
	 * @param arguments {@code --minutes}, {@code --per-second}
	 */
	public static void main(String[] arguments) {
		Program
			.main(() -> new SoakBenchmark(Numbers.of(arguments, Map.of("--minutes", 60, "--per-second", 200))).run());
	}

	private void run() throws Exception {
		try (Broker broker = Broker.start(); ConfigurableApplicationContext application = start(broker)) {
			ConnectionFactory factory = new ConnectionFactory();
			factory.setUri(broker.amqpUri());
			try (Connection connection = factory.newConnection("soak"); Channel channel = connection.createChannel()) {
				channel.confirmSelect();
				System.out.println("minute | heap MiB | threads | connections | channels | queues | sent | succeeded");
				for (int sample = 1; sample <= SAMPLES; sample++) {
					publish(channel, TimeUnit.MINUTES.toSeconds(this.minutes) / SAMPLES);
					print(this.minutes * sample / (double) SAMPLES, broker,
							application.getBean(SoakListener.class).succeeded());
				}
			}
			System.out.println("%d messages/s, of 20 one fails once, of 2000 one is parked; %d cores, %s, %s".formatted(
					this.perSecond, Runtime.getRuntime().availableProcessors(), Runtime.version(),
					broker.description()));
		}
	}

	private void publish(Channel channel, long seconds) throws Exception {
		long begin = System.nanoTime();
		for (long number = 0; number < seconds * this.perSecond; number++) {
			channel.basicPublish("", QUEUE, true,
					new BasicProperties.Builder().deliveryMode(2).messageId(Long.toString(++this.sent)).build(),
					new byte[256]);
			if (number % 100 == 0) {
				channel.waitForConfirmsOrDie(60_000);
			}
			LockSupport.parkNanos(begin + TimeUnit.SECONDS.toNanos(number) / this.perSecond - System.nanoTime());
		}
		channel.waitForConfirmsOrDie(60_000);
	}

	private void print(double minute, Broker broker, long succeeded) {
		System.gc();
		System.out.println(String.format(Locale.ROOT, "%6.1f | %8.1f | %7d | %11d | %8d | %6d | %d | %d", minute,
				ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1048576.0,
				ManagementFactory.getThreadMXBean().getThreadCount(), count(broker, "list_connections", "pid"),
				count(broker, "list_channels", "pid"), count(broker, "list_queues", "name"), this.sent, succeeded));
	}

	private static long count(Broker broker, String command, String column) {
		return broker.ctl("-q", command, "--no-table-headers", column)
			.lines()
			.filter((line) -> !line.isBlank())
			.count();
	}

	private static ConfigurableApplicationContext start(Broker broker) {
		Map<String, Object> properties = new HashMap<>();
		properties.put("spring.rabbitmq.addresses", broker.amqpUri());
		properties.put("benchmark.work", QUEUE);
		properties.put("benchmark.delay", "1s");
		return new SpringApplicationBuilder(WithPolicy.class, SoakListener.class).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.logStartupInfo(false)
			.registerShutdownHook(false)
			.properties(properties)
			.run();
	}

}
