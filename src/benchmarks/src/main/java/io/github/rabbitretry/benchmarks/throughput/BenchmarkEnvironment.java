/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.throughput;

import java.io.IOException;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;

/**
 * The queues of one measurement, declared and filled for it and deleted after it.
 */
final class BenchmarkEnvironment implements AutoCloseable {

	private static final int UNCONFIRMED = 2000;

	private static final int LONGEST_WAIT = 30_000;

	private final Layout layout;

	private final int messages;

	private final Channel channel;

	private BenchmarkEnvironment(Layout layout, int messages, Channel channel) {
		this.layout = layout;
		this.messages = messages;
		this.channel = channel;
	}

	/**
	 * Declares the queues and fills the work queue.
	 * @param connection where
	 * @param layout the queues
	 * @param messages how many messages, all persistent
	 * @param bytes the size of their bodies
	 * @return the environment
	 * @throws Exception if the broker does not take them all
	 */
	static BenchmarkEnvironment open(Connection connection, Layout layout, int messages, int bytes) throws Exception {
		BenchmarkEnvironment environment = new BenchmarkEnvironment(layout, messages, connection.createChannel());
		layout.declare(environment.channel);
		environment.fill(new byte[bytes]);
		Handled.reset();
		return environment;
	}

	private void fill(byte[] body) throws IOException, InterruptedException, TimeoutException {
		this.channel.confirmSelect();
		for (int message = 1; message <= this.messages; message++) {
			BasicProperties properties = new BasicProperties.Builder().deliveryMode(2)
				.contentType("application/octet-stream")
				.messageId(Integer.toString(message))
				.build();
			this.channel.basicPublish("", this.layout.work(), properties, body);
			if (message % UNCONFIRMED == 0) {
				this.channel.waitForConfirmsOrDie(LONGEST_WAIT);
			}
		}
		this.channel.waitForConfirmsOrDie(LONGEST_WAIT);
	}

	Layout layout() {
		return this.layout;
	}

	int messages() {
		return this.messages;
	}

	int work() throws IOException {
		return depth(this.layout.work());
	}

	int target() throws IOException {
		return depth(this.layout.target());
	}

	private int depth(String queue) throws IOException {
		return this.channel.queueDeclarePassive(queue).getMessageCount();
	}

	boolean consumed() throws IOException {
		return this.channel.queueDeclarePassive(this.layout.work()).getConsumerCount() > 0;
	}

	@Override
	public void close() throws IOException, TimeoutException {
		this.layout.delete(this.channel);
		this.channel.close();
	}

}
