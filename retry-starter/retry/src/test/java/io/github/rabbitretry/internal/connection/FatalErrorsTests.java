/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.impl.DefaultExceptionHandler;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

class FatalErrorsTests {

	@Test
	void theProcessEndsForTheVirtualMachineAndNotForAnOverflownStack() {
		assertThat(FatalErrors.isFatal(new OutOfMemoryError())).isTrue();
		assertThat(FatalErrors.isFatal(new InternalError())).isTrue();
		assertThat(FatalErrors.isFatal(new StackOverflowError())).isFalse();
		assertThat(FatalErrors.isFatal(new NoClassDefFoundError())).isFalse();
		assertThat(FatalErrors.isFatal(new IllegalStateException())).isFalse();
	}

	@Test
	void anExceptionHandlerThatFailsLeavesTheClientToCloseTheConnection() {
		CachingConnectionFactory factory = new CachingConnectionFactory();
		ConnectionFactory client = factory.getRabbitConnectionFactory();
		client.setExceptionHandler(new DefaultExceptionHandler() {

			@Override
			public void handleUnexpectedConnectionDriverException(Connection connection, Throwable exception) {
				throw new NoClassDefFoundError("an appender");
			}

		});
		FatalErrors.watch(factory);
		assertThatNoException().isThrownBy(() -> client.getExceptionHandler()
			.handleUnexpectedConnectionDriverException(null, new StackOverflowError()));
	}

	/**
	 * Even logging may fail. The client would leave the channel open, with its
	 * deliveries.
	 */
	@Test
	void aChannelIsClosedIfItsExceptionHandlerFails() {
		CachingConnectionFactory factory = new CachingConnectionFactory();
		ConnectionFactory client = factory.getRabbitConnectionFactory();
		client.setExceptionHandler(new DefaultExceptionHandler() {

			@Override
			public void handleConsumerException(Channel channel, Throwable exception,
					com.rabbitmq.client.Consumer consumer, String consumerTag, String methodName) {
				throw new NoClassDefFoundError("an appender");
			}

		});
		FatalErrors.watch(factory);
		CountDownLatch aborted = new CountDownLatch(1);
		Channel channel = (Channel) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { Channel.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("abort")) {
						aborted.countDown();
					}
					return null;
				});
		client.getExceptionHandler()
			.handleConsumerException(channel, new IllegalStateException(), null, "tag", "handleDelivery");
		Awaitility.await().until(() -> aborted.getCount() == 0);
	}

}
