/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.ordering;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Consumer;
import io.github.rabbitretry.internal.acknowledgement.DeliveryChannel;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.aop.framework.ProxyFactory;

/**
 * Connections whose channels are closed where a container would cancel a consumer.
 * <p>
 * RabbitMQ activates the next consumer of a queue with a single active one as soon as
 * that is cancelled, although it holds messages: the next one gets those behind them.
 * Once its channel is closed, all that it holds is back in the queue, in order, before
 * the next one gets anything ({@code rabbit_fifo}: a cancelled consumer keeps its
 * messages, those of one that is down are returned first; read in 4.0.5 and 4.3.5).
 */
final class ClosingConnections {

	private ClosingConnections() {
	}

	/**
	 * Puts such connections around those of a factory.
	 * @param factory gives the connections
	 * @param closer closes a channel, once nothing is done any more with its deliveries
	 * @return the factory
	 */
	static ConnectionFactory around(ConnectionFactory factory, Closer closer) {
		return proxy(factory, (call) -> {
			Object result = call.proceed();
			return (result instanceof Connection connection) ? around(connection, closer) : result;
		});
	}

	private static Connection around(Connection connection, Closer closer) {
		return proxy(connection, (call) -> {
			Object result = call.proceed();
			return (result instanceof Channel channel) ? proxy(channel, new ClosingChannel(channel, closer)) : result;
		});
	}

	@SuppressWarnings("unchecked")
	private static <T> T proxy(T target, MethodInterceptor interceptor) {
		ProxyFactory factory = new ProxyFactory(target);
		factory.setOpaque(true);
		factory.addAdvice(interceptor);
		return (T) factory.getProxy(target.getClass().getClassLoader());
	}

	interface Closer {

		/**
		 * Closes a channel, or has it closed as soon as that is possible.
		 * @param channel the channel, no proxy
		 * @param closed to be run afterwards
		 */
		void close(Channel channel, Runnable closed);

	}

	private static final class ClosingChannel implements MethodInterceptor {

		private final Channel channel;

		private final Closer closer;

		private final Map<Object, CancelledByClose> consumers = new ConcurrentHashMap<>();

		ClosingChannel(Channel channel, Closer closer) {
			this.channel = channel;
			this.closer = closer;
		}

		@Override
		public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
			String method = invocation.getMethod().getName();
			if (method.equals("basicCancel") && this.channel.isOpen()) {
				Object tag = invocation.getArguments()[0];
				CancelledByClose consumer = this.consumers.remove(tag);
				if (consumer != null) {
					consumer.cancelled = true;
				}
				this.closer.close(DeliveryChannel.target(this.channel), () -> {
					if (consumer != null) {
						consumer.consumer.handleCancelOk((String) tag);
					}
				});
				return null;
			}
			return method.equals("basicConsume") ? consume(invocation) : invocation.proceed();
		}

		private @Nullable Object consume(MethodInvocation invocation) throws Throwable {
			Object[] arguments = invocation.getArguments();
			CancelledByClose consumer = null;
			for (int i = 0; i < arguments.length; i++) {
				if (arguments[i] instanceof Consumer given) {
					consumer = new CancelledByClose(given);
					arguments[i] = proxy(given, consumer);
				}
			}
			Object tag = invocation.proceed();
			if (consumer != null && tag != null) {
				this.consumers.put(tag, consumer);
			}
			return tag;
		}

	}

	/** Not notified of its channel's closing once that has cancelled it. */
	private static final class CancelledByClose implements MethodInterceptor {

		private final Consumer consumer;

		private volatile boolean cancelled;

		CancelledByClose(Consumer consumer) {
			this.consumer = consumer;
		}

		@Override
		public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
			boolean ofClose = this.cancelled && invocation.getMethod().getName().equals("handleShutdownSignal");
			return ofClose ? null : invocation.proceed();
		}

	}

}
