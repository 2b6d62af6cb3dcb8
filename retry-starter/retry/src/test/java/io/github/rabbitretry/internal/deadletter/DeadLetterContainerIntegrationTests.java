/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deadletter;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.internal.acknowledgement.Acknowledgement;
import io.github.rabbitretry.internal.declaration.TopologyMode;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.TestPolicy;
import io.github.rabbitretry.internal.thread.Watchdog;
import io.github.rabbitretry.internal.topology.QueueType;
import io.github.rabbitretry.it.NestedHeader;
import io.github.rabbitretry.it.TestBroker;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionListener;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;
import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Dead letters are received one at a time for a while, and then consumed again.
 */
class DeadLetterContainerIntegrationTests {

	private static final String DEAD_LETTERS = "order.dlq";

	private static final String CLASSIC = "invoice.dlq";

	private final TestBroker broker = TestBroker.connect();

	private final Queue<String> received = new ConcurrentLinkedQueue<>();

	private final AtomicInteger refused = new AtomicInteger();

	private final CachingConnectionFactory connections = new CachingConnectionFactory(Broker.shared().amqpUri());

	private final Watchdog watchdog = new Watchdog();

	private final CachingConnectionFactory single = new CachingConnectionFactory(Broker.shared().amqpUri());

	private final MessagePolicy policy = TestPolicy.order().build();

	private final MessagePolicy classic = TestPolicy.named("Invoice")
		.queue("invoice")
		.queueType(QueueType.CLASSIC)
		.build();

	private final SingleMessageConsumer oneByOne = new SingleMessageConsumer(this.single,
			new UnroutableQueueDeclarer(TopologyMode.NONE), Map.of(DEAD_LETTERS, this.policy, CLASSIC, this.classic),
			this::receive, (undeliverable) -> {
				throw new AssertionError("nothing is undeliverable");
			}, () -> false);

	private final DeadLetterContainer container = new DeadLetterContainer(this.connections,
			List.of(CLASSIC, DEAD_LETTERS), new FormerDeadLetters(this.single, List.of()), this::receive, this.oneByOne,
			Duration.ofSeconds(20), this.watchdog);

	@BeforeEach
	void start() throws Exception {
		this.broker.channel().queueDeclare(DEAD_LETTERS, true, false, false, Map.of("x-queue-type", "quorum"));
		this.broker.channel().queueDeclare(CLASSIC, true, false, false, Map.of("x-queue-type", "classic"));
		this.container.start();
	}

	@AfterEach
	void stop() throws Exception {
		this.container.stop();
		this.watchdog.close();
		this.connections.destroy();
		this.single.destroy();
		this.broker.channel().queueDelete(DEAD_LETTERS);
		this.broker.channel().queueDelete(CLASSIC);
		this.broker.close();
	}

	@Test
	void areConsumedAgainOnceTheBrokerAcceptsTheUserAgain() {
		this.broker.sendJson(DEAD_LETTERS, "before", Map.of(), "{}");
		Awaitility.await().until(() -> this.received.contains("before"));
		this.connections.setPassword("not the password");
		this.single.setPassword("not the password");
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
		this.container.endedBy(endedByADelivery());
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> this.refused.get() > 2);
		Awaitility.await().until(this.container::refused);
		this.connections.setPassword(Broker.shared().password());
		this.broker.sendJson(DEAD_LETTERS, "after", Map.of(), "{}");
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> this.received.contains("after"));
		Awaitility.await().until(() -> !this.container.refused());
		assertThat(ReflectionTestUtils.getField(this.container, "container"))
			.hasFieldOrPropertyWithValue("shutdownTimeout", 20_000L);
	}

	@Test
	void aClassicQueueWithAMessageThatEndsEachConnectionIsLeftAloneAndTheOthersAreConsumed() {
		NestedHeader.send(this.broker, CLASSIC, "unreadable");
		Awaitility.await()
			.atMost(Duration.ofMinutes(3))
			.until(() -> this.container.leftAlone().equals(Set.of(CLASSIC)));
		this.broker.sendJson(DEAD_LETTERS, "other", Map.of(), "{}");
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> this.received.contains("other"));
		assertThat(this.broker.ready(CLASSIC)).isOne();
	}

	@Test
	void whatIsConsumedIsLeftAsItIsWhenAQueueThatWasLeftAloneIsTriedAgain() throws Exception {
		DirectMessageListenerContainer consuming = (DirectMessageListenerContainer) ReflectionTestUtils
			.getField(this.container, "container");
		consuming.removeQueueNames(CLASSIC);
		ReflectionTestUtils.setField(this.container, "leftAloneUntil", System.nanoTime());
		ReflectionTestUtils.setField(this.container, "leftAlone", Set.of(CLASSIC));
		this.broker.sendJson(CLASSIC, "left alone", Map.of(), "{}");
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> this.received.contains("left alone"));
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> this.broker.channel().consumerCount(CLASSIC) == 1);
		assertThat(this.container.leftAlone()).isEmpty();
		assertThat(ReflectionTestUtils.getField(this.container, "container")).isSameAs(consuming);
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

	private Acknowledgement receive(Message message, Channel channel) {
		Acknowledgement acknowledgement = new Acknowledgement(channel, message.getMessageProperties().getDeliveryTag());
		acknowledgement.acknowledge();
		this.received.add(message.getMessageProperties().getMessageId());
		return acknowledgement;
	}

}
