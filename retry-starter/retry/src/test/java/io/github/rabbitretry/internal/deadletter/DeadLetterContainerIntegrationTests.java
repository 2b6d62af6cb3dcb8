/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deadletter;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.internal.declaration.TopologyMode;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.TestPolicy;
import io.github.rabbitretry.internal.thread.Watchdog;
import io.github.rabbitretry.it.TestBroker;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionListener;

/**
 * The broker refuses the user for a while, just when dead letters are received one at a
 * time.
 */
class DeadLetterContainerIntegrationTests {

	private static final String DEAD_LETTERS = "order.dlq";

	private final TestBroker broker = TestBroker.connect();

	private final Queue<String> received = new ConcurrentLinkedQueue<>();

	private final AtomicInteger refused = new AtomicInteger();

	private final CachingConnectionFactory connections = new CachingConnectionFactory(Broker.shared().amqpUri());

	private final Watchdog watchdog = new Watchdog();

	private final DeadLetterContainer container = new DeadLetterContainer(this.connections, this.connections,
			new UnroutableQueueDeclarer(TopologyMode.NONE), List.of(TestPolicy.order().build()),
			(message, channel) -> receive(message, channel), new Receiver(), this.watchdog);

	@BeforeEach
	void start() throws Exception {
		this.broker.channel().queueDeclare(DEAD_LETTERS, true, false, false, Map.of("x-queue-type", "quorum"));
		this.container.start();
	}

	@AfterEach
	void stop() throws Exception {
		this.container.stop();
		this.watchdog.close();
		this.connections.destroy();
		this.broker.channel().queueDelete(DEAD_LETTERS);
		this.broker.close();
	}

	@Test
	void areConsumedAgainOnceTheBrokerAcceptsTheUserAgain() {
		this.broker.sendJson(DEAD_LETTERS, "before", Map.of(), "{}");
		Awaitility.await().until(() -> this.received.contains("before"));
		this.connections.setPassword("not the password");
		this.connections.addConnectionListener(new ConnectionListener() {

			@Override
			public void onCreate(Connection connection) {
				// the user is accepted again
			}

			@Override
			public void onFailed(Exception exception) {
				DeadLetterContainerIntegrationTests.this.refused.incrementAndGet();
			}

		});
		this.connections.resetConnection();
		this.container.onShutDown(endedByADelivery());
		// five times one at a time, then by the container
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> this.refused.get() > 7);
		this.connections.setPassword(Broker.shared().password());
		this.broker.sendJson(DEAD_LETTERS, "after", Map.of(), "{}");
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> this.received.contains("after"));
		Awaitility.await().until(this.container::consuming);
	}

	private static ShutdownSignalException endedByADelivery() {
		return new ShutdownSignalException(true, false,
				new AMQP.Connection.Close.Builder().replyCode(AMQP.INTERNAL_ERROR)
					.replyText("INTERNAL_ERROR")
					.classId(0)
					.methodId(0)
					.build(),
				null);
	}

	private void receive(Message message, Channel channel) {
		try {
			channel.basicAck(message.getMessageProperties().getDeliveryTag(), false);
			this.received.add(message.getMessageProperties().getMessageId());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private final class Receiver implements SingleMessageConsumer.Receiver {

		@Override
		public void receive(Message message, Channel channel) {
			DeadLetterContainerIntegrationTests.this.receive(message, channel);
		}

		@Override
		public boolean busy(MessagePolicy policy) {
			return false;
		}

		@Override
		public void leave(Channel channel) {
			// all is settled
		}

		@Override
		public void undeliverable(MessagePolicy policy) {
			throw new AssertionError("nothing is undeliverable");
		}

	}

}
