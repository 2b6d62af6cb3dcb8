/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.acknowledgement;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.connection.BlockedConnections;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.ChannelProxy;
import org.springframework.amqp.rabbit.connection.RabbitUtils;

/**
 * The channel as a handler gets it. It does not settle deliveries: the broker would close
 * it at the second acknowledgement of one, and deliver all that it holds again. Nor does
 * it publish to an exchange that does not exist, as the reply-to of a request may name
 * one, since that closes the channel too.
 */
final class HandlerChannel implements InvocationHandler {

	private static final Log logger = LogFactory.getLog(HandlerChannel.class);

	private static final Set<String> SETTLING = Set.of("basicAck", "basicNack", "basicReject", "basicRecover",
			"txSelect", "txCommit", "txRollback", "close", "abort");

	private static final int MOST_EXCHANGES = 1000;

	private final Channel channel;

	private final Channel target;

	private final String listener;

	/** Those of messages that the handler got itself, and not by this delivery. */
	private final Set<Object> ownTags = ConcurrentHashMap.newKeySet();

	/** Those that exist. */
	private final Set<String> exchanges = ConcurrentHashMap.newKeySet();

	private final RateLimitedLog refused = new RateLimitedLog(logger, Duration.ofMinutes(10));

	private HandlerChannel(Channel channel, Channel target, String listener) {
		this.channel = channel;
		this.target = target;
		this.listener = listener;
	}

	static Channel of(Channel channel, Channel target, String listener) {
		return (Channel) Proxy.newProxyInstance(ChannelProxy.class.getClassLoader(),
				new Class<?>[] { ChannelProxy.class }, new HandlerChannel(channel, target, listener));
	}

	@Override
	public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
			throws Throwable {
		String name = method.getName();
		if (method.getDeclaringClass() == Object.class) {
			return switch (name) {
				case "equals" -> arguments != null && proxy == arguments[0];
				case "hashCode" -> System.identityHashCode(proxy);
				default -> this.channel.toString();
			};
		}
		if (method.getDeclaringClass() == ChannelProxy.class && !(this.channel instanceof ChannelProxy)) {
			return name.equals("getTargetChannel") ? this.target : (Object) false;
		}
		if (SETTLING.contains(name) && !ownTag(arguments)) {
			RefusedSettlementException refusal = new RefusedSettlementException(this.listener, name);
			this.refused.warn(refusal::getMessage);
			throw refusal;
		}
		if (name.equals("basicPublish") && arguments != null) {
			check(String.valueOf(arguments[0]));
		}
		Object result = call(method, arguments);
		if (result instanceof GetResponse got && arguments != null && Boolean.FALSE.equals(arguments[1])) {
			this.ownTags.add(got.getEnvelope().getDeliveryTag());
		}
		return result;
	}

	private boolean ownTag(@Nullable Object @Nullable [] arguments) {
		boolean several = arguments != null && arguments.length > 1 && Boolean.TRUE.equals(arguments[1]);
		return arguments != null && arguments.length > 0 && arguments[0] != null && !several
				&& this.ownTags.remove(arguments[0]);
	}

	private @Nullable Object call(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
		try {
			return method.invoke(this.channel, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

	/**
	 * Looks for an exchange on a channel of its own, which the broker closes if there is
	 * no such exchange. Any other failure to look is ignored: the reply is published.
	 */
	private void check(String exchange) throws IOException {
		if (exchange.isEmpty() || this.exchanges.contains(exchange)) {
			return;
		}
		Channel other = open();
		if (other == null) {
			return;
		}
		try {
			other.exchangeDeclarePassive(exchange);
		}
		catch (IOException | ShutdownSignalException ex) {
			if (ex.getCause() instanceof ShutdownSignalException signal
					&& signal.getReason() instanceof AMQP.Channel.Close close
					&& close.getReplyCode() == AMQP.NOT_FOUND) {
				throw ex;
			}
		}
		finally {
			RabbitUtils.closeChannel(other);
		}
		if (this.exchanges.size() < MOST_EXCHANGES) {
			this.exchanges.add(exchange);
		}
	}

	private @Nullable Channel open() {
		Connection connection = this.target.getConnection();
		try {
			return BlockedConnections.contains(connection) ? null : connection.createChannel();
		}
		catch (IOException | ShutdownSignalException ex) {
			logger.debug("No channel to look for an exchange", ex);
			return null;
		}
	}

}
