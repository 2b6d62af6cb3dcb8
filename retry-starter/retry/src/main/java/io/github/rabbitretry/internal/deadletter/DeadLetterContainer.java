/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deadletter;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.connection.BrokerText;
import io.github.rabbitretry.internal.connection.FatalErrors;
import io.github.rabbitretry.internal.connection.ReaderFailure;
import io.github.rabbitretry.internal.container.ContainerStart;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import io.github.rabbitretry.internal.message.ReceivedMessageErrorHandler;
import io.github.rabbitretry.internal.message.ReceivedPropertiesConverter;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.thread.Watchdog;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionListener;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareMessageListener;
import org.springframework.amqp.rabbit.support.DefaultMessagePropertiesConverter;
import org.springframework.amqp.rabbit.support.MessagePropertiesConverter;

/**
 * Consumes the dead-letter queues: many messages at a time, and one at a time after the
 * delivery of one of them ended the connection.
 */
final class DeadLetterContainer implements ConnectionListener {

	private static final Log logger = LogFactory.getLog(DeadLetterContainer.class);

	private static final long CONSUME_AGAIN = TimeUnit.SECONDS.toNanos(5);

	/** How long a queue is left alone that goes on ending connections. */
	private static final long LEAVE_ALONE = TimeUnit.MINUTES.toNanos(10);

	private final ConnectionFactory oneByOne;

	private final UnroutableQueueDeclarer lastQueue;

	private final Collection<MessagePolicy> policies;

	private final SingleMessageConsumer.Receiver receiver;

	private final MessagePropertiesConverter converter = new ReceivedPropertiesConverter(
			new DefaultMessagePropertiesConverter());

	private final DirectMessageListenerContainer container;

	private final FormerDeadLetters former;

	private final AtomicReference<@Nullable ShutdownSignalException> failure = new AtomicReference<>();

	private volatile long shutdownTimeout = AbstractMessageListenerContainer.DEFAULT_SHUTDOWN_TIMEOUT;

	private final RateLimitedLog notConsumed = new RateLimitedLog(logger, Duration.ofSeconds(30));

	private volatile boolean consuming = true;

	private volatile long consumeAt = System.nanoTime();

	private volatile List<MessagePolicy> leftAlone = List.of();

	private volatile long leftAloneUntil;

	private volatile @Nullable CountDownLatch stopping;

	/**
	 * Creates the container.
	 * @param connectionFactory gives the connection for many messages at a time
	 * @param oneByOne gives the connection for one at a time, so that what ends it ends
	 * nothing else
	 * @param lastQueue where messages go that no client can receive
	 * @param policies whose dead letters
	 * @param listener gets many at a time
	 * @param receiver gets one at a time
	 * @param watchdog notices that consuming failed
	 */
	DeadLetterContainer(ConnectionFactory connectionFactory, ConnectionFactory oneByOne,
			UnroutableQueueDeclarer lastQueue, Collection<MessagePolicy> policies, ChannelAwareMessageListener listener,
			SingleMessageConsumer.Receiver receiver, Watchdog watchdog) {
		this.oneByOne = oneByOne;
		this.lastQueue = lastQueue;
		this.policies = policies;
		this.receiver = receiver;
		this.former = new FormerDeadLetters(oneByOne, policies);
		connectionFactory.addConnectionListener(this);
		this.container = new DirectMessageListenerContainer(connectionFactory);
		this.container.setQueueNames(queues());
		this.container.setAcknowledgeMode(AcknowledgeMode.MANUAL);
		this.container.setMissingQueuesFatal(false);
		this.container.setMessagePropertiesConverter(this.converter);
		this.container.setErrorHandler(new ReceivedMessageErrorHandler());
		// a producer's batch is one message: its parts would share one delivery tag
		this.container.setDeBatchingEnabled(false);
		this.container.setListenerId("rabbit-retry-dead-letters");
		this.container.setMessageListener(listener);
		FatalErrors.watch(this.container);
		watchdog.monitor("rabbit-retry-dead-letters", this::due, this::consumeOtherwise);
		watchdog.monitor("rabbit-retry-former-dead-letters", () -> !isStopping() && this.former.due(), () -> {
			this.former.look();
			followFormer();
		});
	}

	void stopsWithin(Duration timeout) {
		this.shutdownTimeout = timeout.toMillis();
		this.container.setShutdownTimeout(this.shutdownTimeout);
	}

	@Override
	public void onCreate(Connection connection) {
		// nothing failed yet
	}

	@Override
	public void onShutDown(ShutdownSignalException signal) {
		if (ReaderFailure.is(signal)) {
			this.failure.set(signal);
		}
	}

	synchronized void start() {
		this.stopping = new CountDownLatch(1);
		this.leftAlone = List.of();
		this.failure.set(null);
		consume();
	}

	private void consume() {
		String[] queues = queues();
		if (queues.length > 0) {
			this.container.setQueueNames(queues);
			this.container.afterPropertiesSet();
			ContainerStart.startOrStop(this.container, () -> true);
		}
	}

	private String[] queues() {
		return Stream
			.concat(this.policies.stream()
				.filter((policy) -> !this.leftAlone.contains(policy))
				.map((policy) -> policy.topology().deadLetterQueue()), this.former.existing().stream())
			.toArray(String[]::new);
	}

	/** Not synchronized: a stop would wait for a container that waits for the broker. */
	private void followFormer() {
		if (!isStopping() && this.consuming && this.container.isRunning()) {
			this.former.follow(this.container, queues());
		}
	}

	private boolean due() {
		return !isStopping() && (this.failure.get() != null || consumeAgainDue() || leftAloneLongEnough());
	}

	private boolean consumeAgainDue() {
		return !this.consuming && System.nanoTime() - this.consumeAt > 0;
	}

	private boolean leftAloneLongEnough() {
		return !this.leftAlone.isEmpty() && System.nanoTime() - this.leftAloneUntil > 0;
	}

	private void consumeOtherwise() {
		CountDownLatch latch = this.stopping;
		if (latch == null) {
			return;
		}
		if (consumeAgainDue()) {
			consumeAgain(latch);
		}
		if (latch.getCount() == 0) {
			// what is reported from now on is the next run's
			return;
		}
		ShutdownSignalException ended = this.failure.getAndSet(null);
		if (ended != null || leftAloneLongEnough()) {
			logger.warn("Dead letters are received one at a time: %s"
				.formatted((ended != null) ? "a delivery ended the connection (%s)".formatted(BrokerText.of(ended))
						: "it is tried again with those left alone"));
			// one of them may have been delivered from a former queue, of which only the
			// container takes messages
			this.former.leaveAlone(LEAVE_ALONE);
			receiveOneByOne(latch);
		}
	}

	private void receiveOneByOne(CountDownLatch latch) {
		try {
			if (!stopAtOnce(latch)) {
				return;
			}
			List<MessagePolicy> left = new SingleMessageConsumer(this.oneByOne, this.lastQueue, this.converter,
					this.receiver, latch)
				.empty(this.policies);
			this.leftAlone = left;
			left.forEach((policy) -> logger
				.error(("'%s' holds a message that ends each connection, and is not consumed for ten minutes. "
						+ "Remove the message with another client")
					.formatted(policy.topology().deadLetterQueue())));
		}
		catch (Throwable ex) {
			logger.error("Dead letters could not be received one at a time", ex);
		}
		finally {
			consumeAgainAtOnce(latch);
		}
	}

	private void consumeAgainAtOnce(CountDownLatch latch) {
		try {
			closeOneByOne();
		}
		finally {
			consumeAgain(latch);
		}
	}

	/** What was stopped and started again meanwhile has its consumers. */
	private synchronized boolean stopAtOnce(CountDownLatch latch) {
		if (latch.getCount() == 0) {
			return false;
		}
		stopAtOnce();
		return true;
	}

	/** Without a connection of its own it has the application's. */
	private void closeOneByOne() {
		if (this.oneByOne != this.container.getConnectionFactory()
				&& this.oneByOne instanceof CachingConnectionFactory own) {
			own.resetConnection();
		}
	}

	/** Its consumers are gone with the connection, and would be waited for. */
	private void stopAtOnce() {
		this.container.setShutdownTimeout(1);
		try {
			this.container.stop();
		}
		finally {
			this.container.setShutdownTimeout(this.shutdownTimeout);
		}
	}

	private synchronized void consumeAgain(CountDownLatch latch) {
		if (latch.getCount() == 0) {
			return;
		}
		this.leftAloneUntil = System.nanoTime() + LEAVE_ALONE;
		this.failure.set(null);
		try {
			if (!this.consuming) {
				// it counts as running although its start failed
				stopAtOnce();
			}
			consume();
			this.consuming = true;
		}
		catch (Throwable ex) {
			this.consumeAt = System.nanoTime() + CONSUME_AGAIN;
			this.consuming = false;
			this.notConsumed
				.warn(() -> "Dead letters can't be consumed, which is tried again: %s".formatted(BrokerText.of(ex)));
		}
	}

	/**
	 * Whether dead letters are consumed, at once or one at a time.
	 * @return {@code false} if the broker refuses it for now
	 */
	boolean consuming() {
		return this.consuming;
	}

	/** Has the thread that receives one at a time end, and no delivery be settled. */
	void beginStop() {
		CountDownLatch latch = this.stopping;
		if (latch != null) {
			latch.countDown();
		}
	}

	synchronized void stop() {
		beginStop();
		this.stopping = null;
		this.container.stop();
	}

	boolean isRunning() {
		return this.stopping != null;
	}

	boolean isStopping() {
		CountDownLatch latch = this.stopping;
		return latch == null || latch.getCount() == 0;
	}

	/** The policies whose dead-letter queue is not consumed at the moment. */
	List<MessagePolicy> leftAlone() {
		return this.leftAlone;
	}

}
