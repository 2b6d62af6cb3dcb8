/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AMQP.Queue.DeclareOk;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.github.rabbitretry.internal.topology.BindingDefinition;
import io.github.rabbitretry.internal.topology.ExchangeDefinition;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueDefinition;

import org.springframework.amqp.core.Binding.DestinationType;

/**
 * The queues of one measurement, declared for it and deleted after it. All sides get the
 * same: our topology, whose quorum retry queue is where the copies go.
 */
final class BenchmarkEnvironment implements AutoCloseable {

	/** Longer than any measurement: nothing comes back from the retry queue. */
	static final Duration DELAY = Duration.ofHours(1);

	private static final int BODY = 256;

	private static final int UNCONFIRMED = 2000;

	private static final int LONGEST_WAIT = 30_000;

	private final MessageTopology topology;

	private final int messages;

	private final Channel channel;

	private BenchmarkEnvironment(MessageTopology topology, int messages, Channel channel) {
		this.topology = topology;
		this.messages = messages;
		this.channel = channel;
	}

	/**
	 * Declares the queues and fills the work queue.
	 * @param connection where
	 * @param work the work queue's name
	 * @param messages how many messages of 256 bytes, all persistent
	 * @return the site
	 * @throws Exception if the broker does not take them all
	 */
	static BenchmarkEnvironment open(Connection connection, String work, int messages) throws Exception {
		BenchmarkEnvironment environment = new BenchmarkEnvironment(
				MessageTopology.of(work).delays(List.of(DELAY)).build(), messages, connection.createChannel());
		environment.declare();
		environment.fill();
		return environment;
	}

	private void declare() throws IOException {
		for (ExchangeDefinition exchange : this.topology.exchanges()) {
			this.channel.exchangeDeclare(exchange.name(), exchange.type(), true, false, exchange.arguments());
		}
		for (QueueDefinition queue : this.topology.queues()) {
			this.channel.queueDeclare(queue.name(), true, false, false, queue.arguments());
		}
		for (BindingDefinition binding : this.topology.bindings()) {
			if (binding.type() == DestinationType.QUEUE) {
				this.channel.queueBind(binding.destination(), binding.exchange(), binding.routingKey());
			}
			else {
				this.channel.exchangeBind(binding.destination(), binding.exchange(), binding.routingKey());
			}
		}
	}

	private void fill() throws IOException, InterruptedException, TimeoutException {
		this.channel.confirmSelect();
		byte[] body = new byte[BODY];
		for (int message = 1; message <= this.messages; message++) {
			BasicProperties properties = new BasicProperties.Builder().deliveryMode(2)
				.contentType("application/octet-stream")
				.messageId(Integer.toString(message))
				.build();
			this.channel.basicPublish("", work(), properties, body);
			if (message % UNCONFIRMED == 0) {
				this.channel.waitForConfirmsOrDie(LONGEST_WAIT);
			}
		}
		this.channel.waitForConfirmsOrDie(LONGEST_WAIT);
	}

	int messages() {
		return this.messages;
	}

	String work() {
		return this.topology.queue();
	}

	/**
	 * Where copies are published to.
	 * @return an exchange
	 */
	String targetExchange() {
		return this.topology.ringExchange();
	}

	/**
	 * Where copies wait.
	 * @return the name of the retry queue, which is its routing key too
	 */
	String target() {
		return this.topology.retryQueue(this.topology.levels().get(0));
	}

	int depth(String queue) throws IOException {
		return this.channel.queueDeclarePassive(queue).getMessageCount();
	}

	boolean consumed() throws IOException {
		DeclareOk work = this.channel.queueDeclarePassive(work());
		return work.getConsumerCount() > 0;
	}

	@Override
	public void close() throws IOException, TimeoutException {
		for (QueueDefinition queue : this.topology.ownQueues()) {
			this.channel.queueDelete(queue.name());
		}
		for (String exchange : List.of(this.topology.ringExchange(), this.topology.deadLetterExchange())) {
			this.channel.exchangeDelete(exchange);
		}
		this.channel.close();
	}

}
