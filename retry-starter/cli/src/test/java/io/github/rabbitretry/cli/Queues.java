/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.broker.Broker;

/**
 * The broker as a producer sees it.
 */
final class Queues implements AutoCloseable {

	private final Connection connection;

	private final Channel channel;

	Queues() throws Exception {
		ConnectionFactory factory = new ConnectionFactory();
		factory.setUri(Broker.shared().amqpUri());
		this.connection = factory.newConnection("test");
		this.channel = this.connection.createChannel();
		this.channel.confirmSelect();
	}

	void send(String queue, int messages) throws Exception {
		for (int number : IntStream.range(0, messages).toArray()) {
			this.channel.basicPublish("", queue, true,
					new BasicProperties.Builder().contentType("application/json")
						.deliveryMode(2)
						.messageId("m-" + number)
						.headers(Map.of("x-tenant", "a\u001b[2Jb\r\nc"))
						.build(),
					("{\"n\":" + number + "}").getBytes());
		}
		this.channel.waitForConfirmsOrDie(10_000);
	}

	void declare(String queue) throws Exception {
		this.channel.queueDeclare(queue, true, false, false, Map.of("x-queue-type", "quorum"));
	}

	long ready(String queue) throws Exception {
		return this.channel.messageCount(queue);
	}

	List<String> drain(String queue) throws Exception {
		List<String> ids = new ArrayList<>();
		for (GetResponse message = this.channel.basicGet(queue, true); message != null; message = this.channel
			.basicGet(queue, true)) {
			ids.add(message.getProps().getMessageId());
		}
		return ids;
	}

	@Override
	public void close() throws Exception {
		this.connection.close();
	}

}
