/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deadletter;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.declaration.TopologyMode;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.thread.Watchdog;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

class DeadLetterContainerTests {

	private final CountDownLatch oneByOne = new CountDownLatch(1);

	private final Watchdog watchdog = new Watchdog();

	private final DeadLetterContainer container = new DeadLetterContainer(new CachingConnectionFactory(),
			new CachingConnectionFactory() {

				@Override
				public void resetConnection() {
					DeadLetterContainerTests.this.oneByOne.countDown();
				}

			}, new UnroutableQueueDeclarer(TopologyMode.NONE), List.of(), (message, channel) -> {
			}, new Receiver(), this.watchdog);

	@Test
	void stopsWithinTheSameTimeAfterItReceivedOneAtATime() throws Exception {
		this.container.stopsWithin(Duration.ofSeconds(20));
		this.container.start();
		this.container.onShutDown(new ShutdownSignalException(true, false,
				new AMQP.Connection.Close.Builder().replyCode(AMQP.INTERNAL_ERROR)
					.replyText("INTERNAL_ERROR")
					.classId(0)
					.methodId(0)
					.build(),
				null));
		assertThat(this.oneByOne.await(10, TimeUnit.SECONDS)).isTrue();
		this.container.stop();
		this.watchdog.close();
		Object consumers = ReflectionTestUtils.getField(this.container, "container");
		assertThat(consumers).hasFieldOrPropertyWithValue("shutdownTimeout", 20_000L);
	}

	/** There are no dead letters. */
	private static final class Receiver implements SingleMessageConsumer.Receiver {

		@Override
		public void receive(Message message, Channel channel) {
			throw new AssertionError();
		}

		@Override
		public boolean busy(MessagePolicy policy) {
			return false;
		}

		@Override
		public void leave(Channel channel) {
			throw new AssertionError();
		}

		@Override
		public void undeliverable(MessagePolicy policy) {
			throw new AssertionError();
		}

	}

}
