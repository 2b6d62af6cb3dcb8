/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.acknowledgement;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.BlockedCallback;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownListener;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.connection.BlockedConnections;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionListener;

/**
 * A channel that notes what is sent on it.
 */
final class RecordedChannel implements InvocationHandler {

	final List<String> commands = new CopyOnWriteArrayList<>();

	final List<ShutdownListener> shutdownListeners = new CopyOnWriteArrayList<>();

	final Channel channel = proxy(Channel.class, this);

	/** Thrown by each command. */
	volatile @Nullable Throwable failure;

	volatile boolean answers = true;

	/** Until when the client waits for the answer to an earlier call. */
	volatile CountDownLatch free = new CountDownLatch(0);

	private volatile @Nullable BlockedCallback blocked;

	private final Connection connection;

	private volatile boolean open = true;

	RecordedChannel(String brokerVersion) {
		this.connection = proxy(Connection.class, (proxy, method, arguments) -> switch (method.getName()) {
			case "getServerProperties" -> Map.of("version", brokerVersion);
			case "addBlockedListener" -> {
				this.blocked = (BlockedCallback) arguments[0];
				yield null;
			}
			default -> 131_072;
		});
	}

	/** The broker blocks the connection. */
	void block() throws IOException {
		var spring = proxy(org.springframework.amqp.rabbit.connection.Connection.class,
				(proxy, method, arguments) -> this.connection);
		BlockedConnections.watch(proxy(ConnectionFactory.class, (proxy, method, arguments) -> {
			((ConnectionListener) arguments[0]).onCreate(spring);
			return null;
		}));
		Objects.requireNonNull(this.blocked).handle("low on memory");
	}

	void close() {
		this.open = false;
		ShutdownSignalException cause = closed();
		this.shutdownListeners.forEach((listener) -> listener.shutdownCompleted(cause));
	}

	ShutdownSignalException closed() {
		return new ShutdownSignalException(false, false, null, this.channel);
	}

	@Override
	public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] given) throws Throwable {
		Object[] arguments = (given != null) ? given : new Object[0];
		return switch (method.getName()) {
			case "isOpen" -> this.open;
			case "getConnection" -> this.connection;
			case "addShutdownListener" -> this.shutdownListeners.add((ShutdownListener) arguments[0]);
			case "removeShutdownListener" -> this.shutdownListeners.remove(arguments[0]);
			case "hashCode" -> System.identityHashCode(proxy);
			case "equals" -> proxy == arguments[0];
			case "abort" -> this.commands.add("abort");
			case "asyncCompletableRpc" -> {
				this.free.await();
				this.commands.add("cancel " + ((AMQP.Basic.Cancel) arguments[0]).getConsumerTag());
				yield this.answers ? CompletableFuture.completedFuture(null) : new CompletableFuture<>();
			}
			default -> command(method.getName(), arguments);
		};
	}

	private @Nullable Object command(String name, Object[] arguments) throws Throwable {
		if (this.failure != null) {
			throw Objects.requireNonNull(this.failure);
		}
		this.commands.add("%s %s %s".formatted(name, arguments[0], arguments[1]));
		return null;
	}

	private static <T> T proxy(Class<T> type, InvocationHandler handler) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, handler));
	}

}
