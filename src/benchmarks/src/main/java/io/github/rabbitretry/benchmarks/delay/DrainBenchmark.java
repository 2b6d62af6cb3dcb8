/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.delay;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

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
 * What many waiting messages cost an application, and how fast they come back, by the
 * queues that a delay passes.
 */
public final class DrainBenchmark implements Benchmark {

	private static final String QUEUE = "drain";

	/** Slower than any broker takes messages in, so that all wait before one is due. */
	private static final int SLOWEST_FILL = 3_000;

	/** 32 s, so that there are eight levels. */
	private static final long SHORTEST_UNITS = 128;

	private static final int UNCONFIRMED = 1_000;

	private static final long LONGEST_MINUTES = 60;

	@Override
	public Map<String, Integer> options() {
		return Map.of("--messages", 100_000, "--by-hops", 20_000, "--hops", 8);
	}

	@Override
	public Map<String, Integer> quick() {
		return Map.of("--messages", 20_000, "--by-hops", 5_000, "--hops", 2);
	}

	@Override
	public void measure(Options options, Results results) throws Exception {
		try (Broker broker = results.startBroker()) {
			ConnectionFactory factory = new ConnectionFactory();
			factory.setUri(broker.amqpUri());
			try (Connection connection = factory.newConnection("benchmark")) {
				for (int hops = 1; hops <= options.get("--hops"); hops *= 2) {
					results.add(byHops(connection, hops, options.get("--by-hops")));
				}
				application(broker, connection, options.get("--messages"), results);
			}
		}
	}

	private static Figure byHops(Connection connection, int hops, int messages)
			throws IOException, InterruptedException, TimeoutException {
		LadderDelay ladder = new LadderDelay();
		try (Channel channel = connection.createChannel()) {
			ladder.declare(channel);
			channel.confirmSelect();
			Duration delay = delay(hops, messages);
			for (int sent = 1; sent <= messages; sent++) {
				ladder.send(channel, new BasicProperties.Builder().deliveryMode(2), delay);
				confirm(channel, sent, messages);
			}
			if (channel.messageCount(ladder.workQueue()) > 0) {
				throw tooSoon();
			}
			return Figure.of("drained through %s queue(s), %s messages".formatted(hops, messages), "messages/s",
					drain(connection, ladder.workQueue(), messages));
		}
	}

	/** A power of two, its half, and so on: a queue for each. */
	private static Duration delay(int hops, int messages) {
		long units = Long.highestOneBit(messages / SLOWEST_FILL * 4L) * 2;
		units = Math.max(units, SHORTEST_UNITS);
		long sum = 0;
		for (int hop = 0; hop < hops; hop++) {
			sum += units >> hop;
		}
		return Duration.ofMillis(250 * sum);
	}

	private static void confirm(Channel channel, int sent, int messages)
			throws IOException, InterruptedException, TimeoutException {
		if (sent % UNCONFIRMED == 0 || sent == messages) {
			channel.waitForConfirmsOrDie(60_000);
		}
	}

	/** The rate from the first that comes back to the last. */
	private static double drain(Connection connection, String queue, int messages)
			throws IOException, InterruptedException, TimeoutException {
		try (Channel channel = connection.createChannel()) {
			CountDownLatch missing = new CountDownLatch(messages);
			AtomicLong first = new AtomicLong();
			channel.basicQos(250);
			String consumer = channel.basicConsume(queue, false, (tag, delivery) -> {
				first.compareAndSet(0, System.nanoTime());
				channel.basicAck(delivery.getEnvelope().getDeliveryTag(), false);
				missing.countDown();
			}, (tag) -> {
			});
			if (!missing.await(LONGEST_MINUTES, TimeUnit.MINUTES)) {
				throw new IllegalStateException("%s messages did not come back".formatted(missing.getCount()));
			}
			double rate = messages * 1e9 / (System.nanoTime() - first.get());
			// its answer comes after the queue has applied the acknowledgements
			channel.basicCancel(consumer);
			return rate;
		}
	}

	private static void application(Broker broker, Connection connection, int messages, Results results)
			throws Exception {
		try (ConfigurableApplicationContext application = start(broker, messages);
				Channel channel = connection.createChannel()) {
			OnceFailingListener listener = application.getBean(OnceFailingListener.class);
			List<Double> heaps = new ArrayList<>();
			heaps.add(heap());
			channel.confirmSelect();
			for (int sent = 1; sent <= messages; sent++) {
				channel.basicPublish("", QUEUE, true, new BasicProperties.Builder().deliveryMode(2).build(),
						new byte[256]);
				confirm(channel, sent, messages);
			}
			listener.awaitFailed(messages);
			if (listener.succeeded() > 0) {
				throw tooSoon();
			}
			heaps.add(heap());
			listener.awaitSucceeded(messages / 2);
			heaps.add(heap());
			listener.awaitSucceeded(messages);
			heaps.add(heap());
			results.add(Figure.of("%s waited, came back and were handled".formatted(messages), "messages/s",
					messages / listener.secondsOfSuccess()));
			List<String> when = List.of("before", "with all waiting", "with half back", "with all back");
			for (int sample = 0; sample < heaps.size(); sample++) {
				results.add(Figure.of("heap after a collection, " + when.get(sample), "MiB", heaps.get(sample)));
			}
			results.add(Figure.of("heap with all waiting / before", "", heaps.get(1) / heaps.get(0)).atMost(1.1));
		}
	}

	private static IllegalStateException tooSoon() {
		return new IllegalStateException(
				"Messages came back before all waited: fewer than %s a second were sent to wait"
					.formatted(SLOWEST_FILL));
	}

	private static ConfigurableApplicationContext start(Broker broker, int messages) {
		Map<String, Object> properties = BenchmarkApplication.connectedTo(broker);
		String policy = "rabbit-retry.message-policies.Drain.";
		properties.put("benchmark.work", QUEUE);
		properties.put(policy + "queue", QUEUE);
		properties.put(policy + "local-attempts", 1);
		properties.put(policy + "broker-attempts", 1);
		properties.put(policy + "retry-backoff", "fixed");
		properties.put(policy + "initial-delay", TimeUnit.SECONDS.toMillis(messages / SLOWEST_FILL + 10) + "ms");
		// a warning for each message would be what is measured
		properties.put("logging.level.io.github.rabbitretry", "error");
		return BenchmarkApplication.of(properties, BenchmarkApplication.class, OnceFailingListener.class).run();
	}

	private static double heap() {
		System.gc();
		Runtime runtime = Runtime.getRuntime();
		return (runtime.totalMemory() - runtime.freeMemory()) / (1024.0 * 1024);
	}

}
