/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deadletter;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.connection.BrokerText;
import io.github.rabbitretry.internal.connection.FatalErrors;
import io.github.rabbitretry.internal.connection.ReadRefusals;
import io.github.rabbitretry.internal.connection.ReaderFailure;
import io.github.rabbitretry.internal.container.ContainerStart;
import io.github.rabbitretry.internal.message.ReceivedMessageErrorHandler;
import io.github.rabbitretry.internal.message.ReceivedPropertiesConverter;
import io.github.rabbitretry.internal.thread.Watchdog;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpAuthenticationException;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.rabbit.listener.AsyncConsumerStartedEvent;
import org.springframework.amqp.rabbit.listener.ListenerContainerConsumerFailedEvent;
import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareMessageListener;
import org.springframework.amqp.rabbit.support.DefaultMessagePropertiesConverter;

/**
 * Consumes the dead-letter queues by a direct container. After a delivery ended the
 * connection, the queues are emptied one message at a time, and then consumed again.
 */
final class DeadLetterContainer {

	private static final Log logger = LogFactory.getLog(DeadLetterContainer.class);

	/** How long a queue is left alone that goes on ending connections. */
	private static final long LEAVE_ALONE = TimeUnit.MINUTES.toNanos(10);

	private final ConnectionFactory connectionFactory;

	private final Collection<String> queues;

	private final FormerDeadLetters former;

	private final ChannelAwareMessageListener listener;

	private final SingleMessageConsumer oneByOne;

	private final Duration shutdownTimeout;

	/** A new one for each start: one that lost its connection takes long to stop. */
	private volatile @Nullable DirectMessageListenerContainer container;

	private volatile @Nullable ShutdownSignalException ended;

	private volatile Set<String> leftAlone = Set.of();

	private volatile long leftAloneUntil;

	/** Or its start failed, and is tried again. */
	private volatile boolean consuming = true;

	private volatile boolean refused;

	private volatile boolean stopping = true;

	/**
	 * Creates the container.
	 * @param connectionFactory gives the connection for many messages at a time
	 * @param queues the dead-letter queues
	 * @param former those of former work queues
	 * @param listener gets many messages at a time
	 * @param oneByOne receives one at a time
	 * @param shutdownTimeout how long a stop may wait for the listener
	 * @param watchdog monitors the container
	 */
	DeadLetterContainer(ConnectionFactory connectionFactory, Collection<String> queues, FormerDeadLetters former,
			ChannelAwareMessageListener listener, SingleMessageConsumer oneByOne, Duration shutdownTimeout,
			Watchdog watchdog) {
		this.connectionFactory = connectionFactory;
		this.queues = queues;
		this.former = former;
		this.listener = listener;
		this.oneByOne = oneByOne;
		this.shutdownTimeout = shutdownTimeout;
		connectionFactory.addConnectionListener(ReaderFailure.listener(this::endedBy));
		if (connectionFactory instanceof AbstractConnectionFactory factory) {
			factory.addChannelListener(ReadRefusals.listener((queue, why) -> former.refused(queue)));
		}
		watchdog.monitor("rabbit-retry-dead-letters", this::due, this::receiveOneByOne);
		watchdog.monitor("rabbit-retry-former-dead-letters", () -> !this.stopping && this.consuming && former.due(),
				this::followFormer);
	}

	/** A delivery ended the connection. */
	void endedBy(ShutdownSignalException signal) {
		this.ended = signal;
	}

	synchronized void start() {
		this.stopping = false;
		this.leftAlone = Set.of();
		this.ended = null;
		consume(true);
	}

	private void consume(boolean mustBeAccepted) {
		Set<String> consumed = consumed();
		if (consumed.isEmpty()) {
			return;
		}
		DirectMessageListenerContainer started = new DirectMessageListenerContainer(this.connectionFactory);
		started.setQueueNames(consumed.toArray(String[]::new));
		started.setAcknowledgeMode(AcknowledgeMode.MANUAL);
		started.setMissingQueuesFatal(false);
		started.setPossibleAuthenticationFailureFatal(mustBeAccepted);
		started.setMessagePropertiesConverter(new ReceivedPropertiesConverter(new DefaultMessagePropertiesConverter()));
		started.setErrorHandler(new ReceivedMessageErrorHandler());
		// a producer's batch is one message: its parts would share one delivery tag
		started.setDeBatchingEnabled(false);
		started.setListenerId("rabbit-retry-dead-letters");
		started.setMessageListener(this.listener);
		started.setShutdownTimeout(this.shutdownTimeout.toMillis());
		started.setApplicationEventPublisher(this::noteWhetherRefused);
		FatalErrors.watch(started);
		started.afterPropertiesSet();
		this.container = started;
		ContainerStart.startOrStop(started, () -> true);
	}

	private void noteWhetherRefused(Object event) {
		if (event instanceof AsyncConsumerStartedEvent) {
			this.refused = false;
		}
		else if (event instanceof ListenerContainerConsumerFailedEvent failed
				&& failed.getThrowable() instanceof AmqpAuthenticationException) {
			this.refused = true;
		}
	}

	private Set<String> all() {
		Set<String> all = new LinkedHashSet<>(this.queues);
		all.addAll(this.former.existing());
		return all;
	}

	private Set<String> consumed() {
		Set<String> consumed = all();
		consumed.removeAll(this.leftAlone);
		return consumed;
	}

	/** Not synchronized: a stop would wait for a container that waits for the broker. */
	private void followFormer() {
		this.former.look();
		DirectMessageListenerContainer current = this.container;
		if (current != null && !this.stopping && current.isRunning()) {
			FormerDeadLetters.follow(current, consumed());
		}
	}

	private boolean due() {
		return !this.stopping && (this.ended != null || !this.consuming
				|| !this.leftAlone.isEmpty() && System.nanoTime() - this.leftAloneUntil > 0);
	}

	private void receiveOneByOne() {
		ShutdownSignalException signal = this.ended;
		logger.warn("Dead letters are received one at a time: %s"
			.formatted((signal != null) ? "a delivery ended the connection (%s)".formatted(BrokerText.of(signal))
					: "it is tried again with those left alone"));
		this.consuming = false;
		try {
			DirectMessageListenerContainer current = this.container;
			if (signal == null && current != null && current.isRunning()) {
				leaveAlone(this.oneByOne.empty(this.leftAlone));
				FormerDeadLetters.follow(current, consumed());
				return;
			}
			if (current != null) {
				// its consumers are gone with the connection, and would be waited for
				current.setShutdownTimeout(1);
				current.stop();
			}
			leaveAlone(this.oneByOne.empty(all()));
		}
		finally {
			this.leftAloneUntil = System.nanoTime() + LEAVE_ALONE;
			consumeAgain();
		}
	}

	private void leaveAlone(Set<String> left) {
		this.leftAlone = left;
		left.forEach((queue) -> logger
			.error(("'%s' holds a message that ends each connection, and is not consumed for ten minutes. "
					+ "Remove the message with another client")
				.formatted(queue)));
	}

	private synchronized void consumeAgain() {
		DirectMessageListenerContainer current = this.container;
		// or it was stopped meanwhile, and perhaps started
		if (!this.stopping && (current == null || !current.isRunning())) {
			this.ended = null;
			consume(false);
		}
		this.consuming = true;
	}

	/**
	 * Whether the broker refuses the user for now, so that no dead letters are consumed.
	 */
	boolean refused() {
		return this.refused;
	}

	/** Has the thread that receives one at a time end, and no delivery be settled. */
	void beginStop() {
		this.stopping = true;
	}

	synchronized void stop() {
		beginStop();
		DirectMessageListenerContainer current = this.container;
		if (current != null) {
			current.stop();
		}
	}

	boolean isStopping() {
		return this.stopping;
	}

	/** The queues that are not consumed at the moment. */
	Set<String> leftAlone() {
		return this.leftAlone;
	}

	/** Those of former work queues that may not be read. */
	Set<String> refusedFormer() {
		return this.former.refused();
	}

}
