/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.allocation;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Connection;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Accepts all there is to a connection and its channels, and confirms at once. Each call
 * costs the array of its arguments, on both sides of the comparison.
 */
final class StubBroker implements InvocationHandler {

	private final List<ConfirmListener> listeners = new CopyOnWriteArrayList<>();

	private final Integer identity = System.identityHashCode(this);

	private long published;

	static Channel channel() {
		return stub(Channel.class);
	}

	static ConnectionFactory connectionFactory() {
		return stub(ConnectionFactory.class);
	}

	private static <T> T stub(Class<T> type) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, new StubBroker()));
	}

	@Override
	public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Exception {
		return switch (method.getName()) {
			case "hashCode" -> this.identity;
			case "equals" -> proxy == arguments[0];
			case "toString", "getHost", "getVirtualHost", "getUsername", "basicConsume" -> "stub";
			case "isOpen" -> true;
			case "getFrameMax" -> 131_072;
			case "getServerProperties" -> Map.of();
			case "getDelegate", "getConnection" -> stub(Connection.class);
			case "createConnection" -> stub(org.springframework.amqp.rabbit.connection.Connection.class);
			case "createChannel" -> channel();
			case "getNextPublishSeqNo" -> this.published + 1;
			case "addConfirmListener" -> this.listeners.add((ConfirmListener) arguments[0]);
			case "basicPublish" -> confirm();
			default -> none(method.getReturnType());
		};
	}

	private @Nullable Object confirm() throws Exception {
		this.published++;
		for (ConfirmListener listener : this.listeners) {
			listener.handleAck(this.published, false);
		}
		return null;
	}

	private static @Nullable Object none(Class<?> type) {
		if (type == boolean.class) {
			return false;
		}
		return (type == int.class) ? 0 : null;
	}

}
