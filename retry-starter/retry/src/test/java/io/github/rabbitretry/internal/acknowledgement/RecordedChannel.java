/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.acknowledgement;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownListener;
import com.rabbitmq.client.ShutdownSignalException;
import org.jspecify.annotations.Nullable;

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

	private final Connection connection;

	private volatile boolean open = true;

	RecordedChannel(String brokerVersion) {
		this.connection = proxy(Connection.class,
				(proxy, method, arguments) -> method.getName().equals("getServerProperties")
						? Map.of("version", brokerVersion) : 131_072);
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
