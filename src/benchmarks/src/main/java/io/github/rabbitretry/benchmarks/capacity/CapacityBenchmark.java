/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.capacity;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import io.github.rabbitretry.benchmarks.report.Benchmark;
import io.github.rabbitretry.benchmarks.report.Figure;
import io.github.rabbitretry.benchmarks.report.Options;
import io.github.rabbitretry.benchmarks.report.Results;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.broker.BrokerCluster;

/**
 * What a failed message costs the broker: processor time of all nodes for each step.
 * Unlike rates, it hardly depends on what else a machine does.
 */
public final class CapacityBenchmark implements Benchmark {

	private static final int PREFETCH = 250;

	/** Longer than handing over takes. */
	private static final int WAIT = 60_000;

	@Override
	public Map<String, Integer> options() {
		return Map.of("--messages", 20_000);
	}

	@Override
	public Map<String, Integer> quick() {
		return Map.of("--messages", 5_000);
	}

	@Override
	public void measure(Options options, Results results) throws Exception {
		try (Broker broker = results.startBroker()) {
			new OnNodes(List.of(broker), options.get("--messages")).measure("one node", results);
		}
		try (BrokerCluster cluster = BrokerCluster.start(3)) {
			new OnNodes(cluster.nodes(), options.get("--messages")).measure("three nodes", results);
		}
	}

	/**
	 * The same on nodes of one cluster.
	 *
	 * @param nodes all of them
	 * @param processes theirs
	 * @param messages how many
	 */
	private record OnNodes(List<? extends Broker> nodes, List<ProcessHandle> processes, int messages) {

		private OnNodes(List<? extends Broker> nodes, int messages) {
			this(nodes, processes(nodes), messages);
		}

		private void measure(String where, Results results) throws Exception {
			ConnectionFactory factory = new ConnectionFactory();
			factory.setUri(this.nodes.get(0).amqpUri());
			try (Connection connection = factory.newConnection("capacity");
					Channel channel = connection.createChannel()) {
				declare(channel);
				add(results, where, "publish", this.messages, () -> fill(channel));
				add(results, where, "hand over", this.messages, () -> handOver(connection));
				until(() -> channel.messageCount("work") > 0);
				int returned = (int) channel.messageCount("work");
				add(results, where, "expire and return", this.messages - returned,
						() -> until(() -> channel.messageCount("work") >= this.messages));
			}
		}

		private static void declare(Channel channel) throws IOException {
			channel.confirmSelect();
			channel.exchangeDeclare("back", "direct", true);
			channel.queueDeclare("work", true, false, false, Map.of("x-queue-type", "quorum"));
			channel.queueBind("work", "back", "work");
			channel.queueDeclare("retry", true, false, false,
					Map.of("x-queue-type", "quorum", "x-overflow", "reject-publish", "x-message-ttl", WAIT,
							"x-dead-letter-exchange", "back", "x-dead-letter-routing-key", "work",
							"x-dead-letter-strategy", "at-least-once"));
		}

		private void fill(Channel channel) throws Exception {
			for (int message = 1; message <= this.messages; message++) {
				channel.basicPublish("", "work", true, new BasicProperties.Builder().deliveryMode(2).build(),
						new byte[256]);
				if (message % PREFETCH == 0) {
					channel.waitForConfirmsOrDie(WAIT);
				}
			}
			channel.waitForConfirmsOrDie(WAIT);
		}

		/** With the headers of a first retry. */
		private void handOver(Connection connection) throws Exception {
			CountDownLatch left = new CountDownLatch(this.messages);
			Map<String, Object> headers = new HashMap<>();
			for (int header = 0; header < 19; header++) {
				headers.put("x-app-header-of-a-retry-" + header, "2026-11-27T06:05:29.361812797Z");
			}
			try (Channel consuming = connection.createChannel(); Channel publishing = connection.createChannel()) {
				publishing.confirmSelect();
				publishing.addConfirmListener((sequence, multiple) -> {
					consuming.basicAck(sequence, multiple);
					while (left.getCount() > this.messages - sequence) {
						left.countDown();
					}
				}, (sequence, multiple) -> {
				});
				consuming.basicQos(PREFETCH);
				consuming.basicConsume("work", false, new DefaultConsumer(consuming) {

					@Override
					public void handleDelivery(String tag, Envelope envelope, BasicProperties properties, byte[] body)
							throws IOException {
						publishing.basicPublish("", "retry", true, properties.builder().headers(headers).build(), body);
					}

				});
				if (!left.await(WAIT, TimeUnit.MILLISECONDS)) {
					throw new IllegalStateException("%s are not handed over after a minute".formatted(left.getCount()));
				}
			}
		}

		private void add(Results results, String where, String step, int count, Step work) throws Exception {
			long before = processorTime(this.processes);
			work.run();
			results.add(Figure.of("%s, %s".formatted(step, where), "µs",
					(processorTime(this.processes) - before) / 1e3 / count));
		}

		/** Asked for once, since that takes seconds. */
		private static List<ProcessHandle> processes(List<? extends Broker> nodes) {
			return nodes.stream()
				.map((node) -> node.ctl("eval", "os:getpid().").replaceAll("\\D", ""))
				.map((pid) -> ProcessHandle.of(Long.parseLong(pid)).orElseThrow())
				.toList();
		}

		private static long processorTime(List<ProcessHandle> processes) {
			return processes.stream()
				.mapToLong((process) -> process.info().totalCpuDuration().orElseThrow().toNanos())
				.sum();
		}

		private static void until(Condition condition) throws Exception {
			while (!condition.holds()) {
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
			}
		}

	}

	private interface Step {

		void run() throws Exception;

	}

	private interface Condition {

		boolean holds() throws Exception;

	}

}
