/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deadletter;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.ShutdownSignalException;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpConnectException;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Queues without a broker, to be looked at and got from.
 */
final class FakeQueues {

	private static final int BASIC = 60;

	private static final int QUEUE = 50;

	private final Map<String, Deque<String>> bodies = new HashMap<>();

	private final Set<String> unavailable = new HashSet<>();

	/** Notified of each delivery that ends a connection. */
	private final Map<String, IntConsumer> unreadable = new HashMap<>();

	private final Set<Object> open = new HashSet<>();

	private int deliveries;

	private boolean brokerAway;

	void put(String queue, String body) {
		this.bodies.computeIfAbsent(queue, (name) -> new ArrayDeque<>()).add(body);
	}

	void brokerAway() {
		this.brokerAway = true;
	}

	/** As without a majority. */
	void unavailable(String queue) {
		this.unavailable.add(queue);
	}

	/** There is one message, each delivery of which ends the connection. */
	void unreadable(String queue, IntConsumer delivered) {
		this.unreadable.put(queue, delivered);
	}

	void readable(String queue) {
		this.unreadable.remove(queue);
	}

	int unreadableDeliveries() {
		return this.deliveries;
	}

	int openChannels() {
		return this.open.size();
	}

	ConnectionFactory factory() {
		com.rabbitmq.client.Connection client = proxy(com.rabbitmq.client.Connection.class,
				(self, method, argument) -> channel());
		Connection connection = proxy(Connection.class,
				(self, method, argument) -> method.equals("getDelegate") ? client : null);
		return proxy(ConnectionFactory.class, (self, method, argument) -> {
			if (this.brokerAway && method.equals("createConnection")) {
				throw new AmqpConnectException("a test", null);
			}
			return connection;
		});
	}

	private Channel channel() {
		Channel channel = proxy(Channel.class, this::channel);
		this.open.add(channel);
		return channel;
	}

	private @Nullable Object channel(Object self, String method, @Nullable Object argument) throws IOException {
		switch (method) {
			case "isOpen" -> {
				return this.open.contains(self);
			}
			case "queueDeclarePassive" -> {
				return look(self, (String) argument);
			}
			case "basicGet" -> {
				return get(self, (String) argument);
			}
			case "close", "abort" -> {
				this.open.remove(self);
				return null;
			}
			default -> throw new UnsupportedOperationException(method);
		}
	}

	private AMQP.Queue.DeclareOk look(Object channel, @Nullable String queue) throws IOException {
		if (this.unavailable.contains(queue)) {
			throw ended(channel, QUEUE);
		}
		int ready = this.unreadable.containsKey(queue) ? 1 : waiting(queue).size();
		return new AMQP.Queue.DeclareOk.Builder().queue(queue).messageCount(ready).consumerCount(0).build();
	}

	private @Nullable GetResponse get(Object channel, @Nullable String queue) throws IOException {
		if (this.unavailable.contains(queue)) {
			throw ended(channel, BASIC);
		}
		IntConsumer delivered = this.unreadable.get(queue);
		if (delivered != null) {
			delivered.accept(++this.deliveries);
			throw ended(channel, 0);
		}
		String body = waiting(queue).poll();
		return (body != null) ? new GetResponse(new Envelope(1, false, "", ""), new BasicProperties.Builder().build(),
				body.getBytes(), 0) : null;
	}

	private Deque<String> waiting(@Nullable String queue) {
		return this.bodies.getOrDefault(queue, new ArrayDeque<>());
	}

	/** The broker names the method that failed, or none if a delivery did. */
	private IOException ended(Object channel, int classId) {
		this.open.remove(channel);
		return new IOException(new ShutdownSignalException(true, false,
				new AMQP.Connection.Close.Builder().replyCode(AMQP.INTERNAL_ERROR)
					.replyText("INTERNAL_ERROR")
					.classId(classId)
					.methodId(0)
					.build(),
				null));
	}

	private static <T> T proxy(Class<T> type, Answer answer) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				(self, method, arguments) -> switch (method.getName()) {
					case "equals" -> self == arguments[0];
					case "hashCode" -> System.identityHashCode(self);
					case "toString" -> type.getSimpleName();
					default -> answer.to(self, method.getName(), (arguments != null) ? arguments[0] : null);
				}));
	}

	private interface Answer {

		@Nullable Object to(Object self, String method, @Nullable Object argument) throws IOException;

	}

}
