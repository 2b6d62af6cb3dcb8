/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.outside;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Listens to the worker's events, as any other service would. The worker's own memory
 * dies with it; events that the broker confirmed don't.
 */
public final class HandledOrders {

	private static final String EXCHANGE = "order.events";

	private final Map<String, List<Integer>> retriesById = new ConcurrentHashMap<>();

	private final Map<String, Long> firstSeen = new ConcurrentHashMap<>();

	private final JsonMapper json = new JsonMapper();

	/**
	 * Begins to listen.
	 * @param connection leads to the broker
	 * @throws IOException if the broker can't be used
	 */
	public void listen(Connection connection) throws IOException {
		Channel channel = connection.createChannel();
		// before there is a worker, so that no event goes by
		channel.exchangeDeclare(EXCHANGE, BuiltinExchangeType.TOPIC, true);
		String queue = channel.queueDeclare().getQueue();
		channel.queueBind(queue, EXCHANGE, "#");
		channel.basicConsume(queue, true, new DefaultConsumer(channel) {

			@Override
			public void handleDelivery(String consumerTag, Envelope envelope, BasicProperties properties, byte[] body) {
				JsonNode event = HandledOrders.this.json.readTree(body);
				String orderId = event.path("orderId").asString();
				HandledOrders.this.firstSeen.putIfAbsent(orderId, System.nanoTime());
				HandledOrders.this.retriesById.computeIfAbsent(orderId, (id) -> new CopyOnWriteArrayList<>())
					.add(event.path("attempt").asInt());
			}

		});
	}

	/**
	 * How many orders were handled.
	 * @return the number
	 */
	public int count() {
		return this.retriesById.size();
	}

	/**
	 * The events of one order.
	 * @param orderId identifies it
	 * @return the retries that each of them reports
	 */
	public List<Integer> events(String orderId) {
		return List.copyOf(this.retriesById.getOrDefault(orderId, List.of()));
	}

	/**
	 * When the first event of an order came.
	 * @param orderId identifies it
	 * @return the time of {@link System#nanoTime()}
	 * @throws IllegalStateException if none came
	 */
	public long firstSeen(String orderId) {
		Long seen = this.firstSeen.get(orderId);
		if (seen == null) {
			throw new IllegalStateException("there is no event of order " + orderId);
		}
		return seen;
	}

	/**
	 * For each order the retries that each of its events reports.
	 * @return retries by order id
	 */
	public Map<String, List<Integer>> retriesById() {
		return Map.copyOf(this.retriesById);
	}

}
