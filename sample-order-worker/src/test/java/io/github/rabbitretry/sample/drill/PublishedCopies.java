/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.drill;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import io.github.rabbitretry.sample.outside.OrderMessageType;

/**
 * Gets a copy of each message that is handed over to a retry queue or a parking lot, by a
 * queue of its own that is bound to the same exchanges.
 */
final class PublishedCopies {

	private final List<Copy> copies = new CopyOnWriteArrayList<>();

	PublishedCopies(Connection connection, OrderMessageType command, List<String> delays) throws IOException {
		Channel channel = connection.createChannel();
		String queue = channel.queueDeclare().getQueue();
		for (String delay : delays) {
			channel.queueBind(queue, command.queue() + ".retry", command.queue() + ".retry." + delay);
		}
		channel.queueBind(queue, command.queue() + ".dlx", command.parkingLot());
		channel.basicConsume(queue, true, new DefaultConsumer(channel) {

			@Override
			public void handleDelivery(String consumerTag, Envelope envelope, BasicProperties properties, byte[] body) {
				boolean parked = envelope.getRoutingKey().equals(command.parkingLot());
				Map<String, Object> headers = (properties.getHeaders() != null) ? properties.getHeaders() : Map.of();
				PublishedCopies.this.copies
					.add(new Copy(String.valueOf(properties.getMessageId()), parked, headers, System.nanoTime()));
			}

		});
	}

	/** What was handed over to retry queues. */
	List<Copy> retried(String orderId) {
		return this.copies.stream().filter((copy) -> !copy.parked() && copy.orderId().equals(orderId)).toList();
	}

	/** What was handed over to the parking lot. */
	List<Copy> parked(String orderId) {
		return this.copies.stream().filter((copy) -> copy.parked() && copy.orderId().equals(orderId)).toList();
	}

	/**
	 * A copy.
	 *
	 * @param orderId its message id
	 * @param parked whether it went to the parking lot
	 * @param headers its headers
	 * @param at when it was seen
	 */
	record Copy(String orderId, boolean parked, Map<String, Object> headers, long at) {

		String header(String name) {
			return String.valueOf(this.headers.get(name));
		}

	}

}
