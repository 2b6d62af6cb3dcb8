/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;

/**
 * Publishes orders so that none is lost on the way in: mandatory and confirmed.
 */
final class OrderPublisher {

	private static final int UNCONFIRMED = 200;

	private static final long CONFIRM_TIMEOUT_MILLIS = 60_000;

	private final Connection connection;

	private final AtomicInteger published = new AtomicInteger();

	private final AtomicInteger returned = new AtomicInteger();

	OrderPublisher(Connection connection) {
		this.connection = connection;
	}

	void publish(Map<String, Kind> orders) throws IOException, InterruptedException, TimeoutException {
		try (Channel channel = this.connection.createChannel()) {
			channel.confirmSelect();
			channel.addReturnListener((unroutable) -> this.returned.incrementAndGet());
			int unconfirmed = 0;
			for (Map.Entry<String, Kind> order : orders.entrySet()) {
				publish(channel, order.getKey(), order.getValue());
				unconfirmed++;
				if (unconfirmed == UNCONFIRMED) {
					confirm(channel, unconfirmed);
					unconfirmed = 0;
				}
			}
			confirm(channel, unconfirmed);
		}
	}

	private void publish(Channel channel, String orderId, Kind kind) throws IOException {
		BasicProperties properties = new BasicProperties.Builder().contentType("application/json")
			.deliveryMode(2)
			.messageId(orderId)
			.timestamp(new Date())
			.build();
		channel.basicPublish(kind.command().exchange(), kind.command().queue(), true, properties,
				kind.body(orderId).getBytes(StandardCharsets.UTF_8));
	}

	private void confirm(Channel channel, int unconfirmed) throws IOException, InterruptedException, TimeoutException {
		channel.waitForConfirmsOrDie(CONFIRM_TIMEOUT_MILLIS);
		if (this.returned.get() > 0) {
			throw new IOException("%d orders found no queue".formatted(this.returned.get()));
		}
		this.published.addAndGet(unconfirmed);
	}

	int published() {
		return this.published.get();
	}

}
