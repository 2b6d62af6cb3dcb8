/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import com.rabbitmq.client.BlockedListener;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionListener;

/**
 * A connection factory with one connection, on which every channel is a fake.
 */
final class FakeConnections {

	final List<FakeChannel> channels = new CopyOnWriteArrayList<>();

	/** Thrown instead of giving the connection. */
	@Nullable RuntimeException failure;

	/** Thrown instead of giving the connection. */
	@Nullable Error error;

	/** Connecting takes until then. */
	@Nullable CountDownLatch connecting;

	private @Nullable BlockedListener blockedListener;

	final AtomicInteger aborted = new AtomicInteger();

	private final List<ConnectionListener> listeners = new CopyOnWriteArrayList<>();

	private final com.rabbitmq.client.Connection delegate = proxy(com.rabbitmq.client.Connection.class, this::delegate);

	private final Connection connection = proxy(Connection.class, (method, argument) -> this.delegate);

	/** As if somebody else needed the connection. */
	void connectElsewhere() {
		this.listeners.forEach((listener) -> listener.onCreate(this.connection));
	}

	FakeChannel last() {
		return this.channels.get(this.channels.size() - 1);
	}

	void block() throws Exception {
		Objects.requireNonNull(this.blockedListener).handleBlocked("low on memory");
	}

	void unblock() throws Exception {
		Objects.requireNonNull(this.blockedListener).handleUnblocked();
	}

	ConnectionFactory factory() {
		return proxy(ConnectionFactory.class, (method, argument) -> {
			if (method.equals("getPublisherConnectionFactory")) {
				return null;
			}
			if (method.equals("addConnectionListener")) {
				this.listeners.add((ConnectionListener) Objects.requireNonNull(argument));
				return null;
			}
			if (this.connecting != null) {
				this.connecting.await();
			}
			if (this.error != null) {
				throw this.error;
			}
			if (this.failure != null) {
				throw this.failure;
			}
			return this.connection;
		});
	}

	private @Nullable Object delegate(String method, @Nullable Object argument) {
		return switch (method) {
			case "isOpen" -> true;
			case "abort" -> this.aborted.incrementAndGet();
			case "addBlockedListener" -> {
				this.blockedListener = (BlockedListener) argument;
				yield null;
			}
			case "createChannel" -> {
				FakeChannel channel = new FakeChannel();
				this.channels.add(channel);
				yield channel.channel();
			}
			default -> throw new UnsupportedOperationException(method);
		};
	}

	private static <T> T proxy(Class<T> type, Answer answer) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> (method.getDeclaringClass() == Object.class)
						? method.invoke(answer, arguments)
						: answer.to(method.getName(), (arguments != null) ? arguments[0] : null)));
	}

	private interface Answer {

		@Nullable Object to(String method, @Nullable Object argument) throws Exception;

	}

}
