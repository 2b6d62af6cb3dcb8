/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deadletter;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.connection.ClientConnection;
import io.github.rabbitretry.internal.connection.ReaderFailure;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueType;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.support.MessagePropertiesConverter;

/**
 * Gets dead letters one at a time, after a delivery ended the connection. Then the only
 * delivery that the broker counts is that of the message which ends it again, until the
 * queue's delivery limit sets that message aside.
 */
final class SingleMessageConsumer {

	private static final Log logger = LogFactory.getLog(SingleMessageConsumer.class);

	private static final long PAUSE = 50;

	private static final long LONG_PAUSE = 1_000;

	private static final long LONGEST_HANDOVER = 200;

	private static final long LONGEST_MOVE = 2_000;

	private final ConnectionFactory connectionFactory;

	private final MessagePropertiesConverter converter;

	private final Receiver receiver;

	private final UnroutableQueueDeclarer lastQueue;

	private final CountDownLatch stopping;

	SingleMessageConsumer(ConnectionFactory connectionFactory, UnroutableQueueDeclarer lastQueue,
			MessagePropertiesConverter converter, Receiver receiver, CountDownLatch stopping) {
		this.connectionFactory = connectionFactory;
		this.lastQueue = lastQueue;
		this.converter = converter;
		this.receiver = receiver;
		this.stopping = stopping;
	}

	/**
	 * Empties dead-letter queues, one after the other.
	 * @param policies whose
	 * @return the policies whose dead-letter queue has a message that goes on ending
	 * connections
	 */
	List<MessagePolicy> empty(Collection<MessagePolicy> policies) {
		return policies.stream().filter((policy) -> !empty(policy)).toList();
	}

	private boolean empty(MessagePolicy policy) {
		MessageTopology topology = policy.topology();
		DeadLetterAttempts attempts = new DeadLetterAttempts(topology.deadLetterDeliveries(),
				topology.queueType() == QueueType.QUORUM);
		while (!attempts.tooMany() && !stopping()) {
			try (Connection connection = ClientConnection.open(this.connectionFactory)) {
				if (attempts.deliveries() == 1) {
					this.lastQueue.prepare(connection, policy);
				}
				look(connection, policy, attempts);
				emptyOn(connection, policy, attempts);
				awaitMove(connection, policy, attempts);
				return true;
			}
			catch (AmqpException | IOException | ShutdownSignalException ex) {
				logger.debug("A dead letter of '%s' could not be received".formatted(policy.messageType()), ex);
				boolean ended = ReaderFailure.is(ex);
				attempts.failed(ended);
				paused(ended ? PAUSE : LONG_PAUSE);
			}
		}
		// the container knows how to wait for a broker that is away, or a queue
		return !attempts.tooManyDeliveries();
	}

	private void emptyOn(Connection connection, MessagePolicy policy, DeadLetterAttempts attempts) throws IOException {
		String queue = policy.topology().deadLetterQueue();
		Channel channel = open(connection);
		try {
			GetResponse response = channel.basicGet(queue, false);
			while (response != null && !stopping()) {
				MessageProperties properties = this.converter.toMessageProperties(response.getProps(),
						response.getEnvelope(), "UTF-8");
				properties.setConsumerQueue(queue);
				this.receiver.receive(new Message(response.getBody(), properties), channel);
				awaitHandover(policy);
				attempts.gotOn();
				response = channel.basicGet(queue, false);
			}
			if (response != null) {
				channel.basicNack(response.getEnvelope().getDeliveryTag(), false, true);
			}
		}
		finally {
			this.receiver.leave(channel);
			channel.abort();
		}
	}

	/** Not Spring's channel: closing one of those only puts it into its cache. */
	static Channel open(Connection connection) throws IOException {
		com.rabbitmq.client.Connection delegate = connection.getDelegate();
		Channel channel = (delegate != null) ? delegate.createChannel() : null;
		if (channel == null) {
			throw new IOException("no channel left on the connection");
		}
		return channel;
	}

	/** What is not settled when the connection ends is counted as delivered too. */
	private void awaitHandover(MessagePolicy policy) {
		for (long waited = 0; waited < LONGEST_HANDOVER && this.receiver.busy(policy) && !stopping(); waited += 2) {
			paused(2);
		}
	}

	/** The broker moves messages in its own time. */
	private void awaitMove(Connection connection, MessagePolicy policy, DeadLetterAttempts attempts)
			throws IOException {
		for (long waited = 0; attempts.deliveries() > 0 && waited < LONGEST_MOVE && !stopping(); waited += 50) {
			paused(50);
			look(connection, policy, attempts);
		}
		if (attempts.deliveries() > 0 && !stopping()) {
			this.lastQueue.notReached(policy);
		}
	}

	private void look(Connection connection, MessagePolicy policy, DeadLetterAttempts attempts) throws IOException {
		MessageTopology topology = policy.topology();
		int deliveries = attempts.deliveries();
		long moved = attempts.look(count(connection, topology.deadLetterQueue()),
				count(connection, DelayLadder.UNROUTABLE));
		if (moved > 0) {
			logger.error(("Dead-lettered messages of '%s' ended the connection at each of %s deliveries. "
					+ "The broker moved %s to '%s', where they stay until they are removed")
				.formatted(policy.messageType(), deliveries, moved, DelayLadder.UNROUTABLE));
		}
		for (long number = 0; number < moved; number++) {
			this.receiver.undeliverable(policy);
		}
	}

	private static long count(Connection connection, String queue) throws IOException {
		Channel channel = open(connection);
		try {
			return channel.messageCount(queue);
		}
		catch (IOException ex) {
			if (!connection.isOpen()) {
				throw ex;
			}
			// not there, or not to be seen: the counter is not worth a dead letter
			return 0;
		}
		finally {
			channel.abort();
		}
	}

	private boolean stopping() {
		return this.stopping.getCount() == 0;
	}

	private void paused(long milliseconds) {
		try {
			this.stopping.await(milliseconds, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			this.stopping.countDown();
		}
	}

	/** Takes dead letters. */
	interface Receiver {

		void receive(Message message, Channel channel);

		boolean busy(MessagePolicy policy);

		/** Gives back what is not settled: the channel is about to be closed. */
		void leave(Channel channel);

		void undeliverable(MessagePolicy policy);

	}

}
