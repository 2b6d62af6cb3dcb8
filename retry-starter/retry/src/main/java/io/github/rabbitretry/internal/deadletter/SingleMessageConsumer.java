/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deadletter;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.acknowledgement.Acknowledgement;
import io.github.rabbitretry.internal.connection.ClientConnection;
import io.github.rabbitretry.internal.connection.QueueLookup;
import io.github.rabbitretry.internal.connection.ReaderFailure;
import io.github.rabbitretry.internal.message.ReceivedPropertiesConverter;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueType;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpIOException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.support.DefaultMessagePropertiesConverter;
import org.springframework.amqp.rabbit.support.MessagePropertiesConverter;

/**
 * Gets dead letters one at a time, after a delivery ended the connection. Then the only
 * delivery that the broker counts is that of the message which ends it again, until the
 * queue's delivery limit sets that message aside. Where many are prefetched, each end
 * would count against all of them, and leave a second copy of those just parked.
 */
final class SingleMessageConsumer {

	private static final Log logger = LogFactory.getLog(SingleMessageConsumer.class);

	/**
	 * How many messages may end connections by turns. A quorum queue puts what comes back
	 * behind what came back before, so that all deliveries of those that were prefetched
	 * come before the first of them is moved.
	 */
	private static final int BY_TURNS = 50;

	/** More than the queue's delivery limit allows. */
	private static final int MARGIN = 10;

	/** One type's queue must not keep the others' from being consumed for long. */
	private static final int MOST_OF_A_QUEUE = 1000;

	private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(50);

	private static final long AFTER_FAILURE = TimeUnit.SECONDS.toNanos(1);

	private static final long POLL = TimeUnit.MILLISECONDS.toNanos(1);

	/** A copy that is confirmed after its original's channel closed is there twice. */
	private static final long LONGEST_HANDOVER = TimeUnit.SECONDS.toNanos(30);

	/** The broker moves messages in its own time. */
	private static final long LONGEST_MOVE = TimeUnit.SECONDS.toNanos(2);

	private final MessagePropertiesConverter converter = new ReceivedPropertiesConverter(
			new DefaultMessagePropertiesConverter());

	private final ConnectionFactory connectionFactory;

	private final UnroutableQueueDeclarer lastQueue;

	private final Map<String, MessagePolicy> policies;

	private final BiFunction<Message, Channel, Acknowledgement> receiver;

	private final Consumer<MessagePolicy> undeliverable;

	private final BooleanSupplier stopping;

	/**
	 * Creates the consumer.
	 * @param connectionFactory gives a connection of its own, so that what ends it ends
	 * nothing else
	 * @param lastQueue where the broker moves messages that no client can receive
	 * @param policies whose dead letters are in which queue
	 * @param receiver gets the messages
	 * @param undeliverable is notified of each message that the broker moved
	 * @param stopping whether to end
	 */
	SingleMessageConsumer(ConnectionFactory connectionFactory, UnroutableQueueDeclarer lastQueue,
			Map<String, MessagePolicy> policies, BiFunction<Message, Channel, Acknowledgement> receiver,
			Consumer<MessagePolicy> undeliverable, BooleanSupplier stopping) {
		this.connectionFactory = connectionFactory;
		this.lastQueue = lastQueue;
		this.policies = policies;
		this.receiver = receiver;
		this.undeliverable = undeliverable;
		this.stopping = stopping;
	}

	/**
	 * Empties dead-letter queues, one after the other.
	 * @param queues the queues
	 * @return those with a message that goes on ending connections
	 * @throws org.springframework.amqp.AmqpException if the broker can't be reached
	 */
	Set<String> empty(Set<String> queues) {
		Set<String> left = new LinkedHashSet<>();
		try {
			for (String queue : queues) {
				MessagePolicy policy = this.policies.get(queue);
				if (policy != null && !empty(queue, policy)) {
					left.add(queue);
				}
			}
		}
		finally {
			// a subclass is the application's, and shared
			if (this.connectionFactory.getClass() == CachingConnectionFactory.class) {
				((CachingConnectionFactory) this.connectionFactory).resetConnection();
			}
		}
		return left;
	}

	private boolean empty(String queue, MessagePolicy policy) {
		long movedBefore = moved(policy);
		long movedUntilNow = movedBefore;
		long most = 1;
		int ended = 0;
		int inVain = 0;
		int received = 0;
		boolean more = true;
		Channel channel = null;
		try {
			while (more && inVain < most && received < MOST_OF_A_QUEUE && !this.stopping.getAsBoolean()) {
				try {
					if (channel == null) {
						// what was prefetched may come back late
						most = Math.max(most, mostInVain(policy.topology(), ready(queue)));
						long moved = moved(policy);
						inVain = (difference(movedUntilNow, moved) > 0) ? 0 : inVain;
						movedUntilNow = (moved < 0) ? movedUntilNow : moved;
						channel = open(this.connectionFactory);
					}
					GetResponse response = channel.basicGet(queue, false);
					received++;
					more = response != null && receive(queue, response, channel);
					inVain = 0;
				}
				catch (AmqpIOException | IOException | ShutdownSignalException ex) {
					logger.debug("A dead letter of '%s' could not be received".formatted(policy.messageType()), ex);
					if (!ReaderFailure.is(ex)) {
						// the container can wait for a broker, or a queue
						pause(AFTER_FAILURE);
						break;
					}
					channel = null;
					inVain++;
					if (++ended == 1) {
						this.lastQueue.prepare(this.connectionFactory, policy);
					}
					LockSupport.parkNanos(PAUSE);
				}
			}
		}
		finally {
			abort(channel);
		}
		reportMoved(policy, ended, movedBefore);
		return inVain < most;
	}

	static long mostInVain(MessageTopology topology, long waiting) {
		long turns = (topology.queueType() == QueueType.QUORUM) ? Math.min(BY_TURNS, Math.max(1, waiting)) : 1;
		return (topology.deadLetterDeliveries() + MARGIN) * turns;
	}

	/** Not Spring's channel: closing one of those only puts it into its cache. */
	static Channel open(ConnectionFactory connectionFactory) throws IOException {
		return ClientConnection.channel(ClientConnection.delegate(ClientConnection.open(connectionFactory)));
	}

	/** Whether the channel holds no copy that the broker has not confirmed. */
	private boolean receive(String queue, GetResponse response, Channel channel) {
		MessageProperties properties = this.converter.toMessageProperties(response.getProps(), response.getEnvelope(),
				"UTF-8");
		properties.setConsumerQueue(queue);
		Acknowledgement delivery = this.receiver.apply(new Message(response.getBody(), properties), channel);
		long deadline = System.nanoTime() + LONGEST_HANDOVER;
		while (delivery.begun() && !delivery.settled() && delivery.open()) {
			if (System.nanoTime() - deadline > 0) {
				return false;
			}
			LockSupport.parkNanos(POLL);
		}
		return true;
	}

	private void reportMoved(MessagePolicy policy, int ended, long movedBefore) {
		if (ended == 0 || this.stopping.getAsBoolean()) {
			return;
		}
		pause(LONGEST_MOVE);
		long moved = difference(movedBefore, moved(policy));
		if (moved > 0) {
			logger.error(("Dead-lettered messages of '%s' ended the connection at each of %s deliveries. "
					+ "The broker moved %s to '%s', where they stay until they are removed")
				.formatted(policy.messageType(), ended, moved, DelayLadder.UNROUTABLE));
		}
		else if (!this.stopping.getAsBoolean()) {
			this.lastQueue.notReached(policy);
		}
		for (long number = 0; number < moved; number++) {
			this.undeliverable.accept(policy);
		}
	}

	/** Messages of others end there too, and from a classic queue none is moved. */
	private long moved(MessagePolicy policy) {
		return (policy.topology().queueType() == QueueType.QUORUM) ? ready(DelayLadder.UNROUTABLE) : 0;
	}

	private static long difference(long before, long now) {
		return (before < 0 || now < 0) ? 0 : now - before;
	}

	/** None if the queue does not exist, or -1 if how many there are can't be seen. */
	private long ready(String queue) {
		try {
			return QueueLookup.depth(this.connectionFactory, queue).map(QueueLookup.Depth::ready).orElse(0L);
		}
		catch (AmqpIOException ex) {
			logger.debug("The messages of '%s' could not be counted".formatted(queue), ex);
			return -1;
		}
	}

	private void pause(long duration) {
		long deadline = System.nanoTime() + duration;
		while (System.nanoTime() - deadline < 0 && !this.stopping.getAsBoolean()) {
			LockSupport.parkNanos(PAUSE);
		}
	}

	private static void abort(@Nullable Channel channel) {
		try {
			if (channel != null) {
				channel.abort();
			}
		}
		catch (IOException | ShutdownSignalException ex) {
			logger.debug("A channel could not be closed", ex);
		}
	}

}
