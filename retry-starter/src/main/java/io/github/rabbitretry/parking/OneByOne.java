/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.connection.ReaderFailure;
import io.github.rabbitretry.policy.MessagePolicy;
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
final class OneByOne {

	private static final Log logger = LogFactory.getLog(OneByOne.class);

	/** More than any dead-letter queue's delivery limit allows. */
	private static final int MARGIN = 10;

	/** Failures of broker, network or permissions, before it is left to the container. */
	private static final int MOST_OTHERS = 5;

	private static final long PAUSE = 100;

	private static final long LONG_PAUSE = 1_000;

	private static final long LONGEST_HANDOVER = 200;

	private static final long LONGEST_MOVE = 2_000;

	private final ConnectionFactory connectionFactory;

	private final MessagePropertiesConverter converter;

	private final Receiver receiver;

	private final CountDownLatch stopping;

	OneByOne(ConnectionFactory connectionFactory, MessagePropertiesConverter converter, Receiver receiver,
			CountDownLatch stopping) {
		this.connectionFactory = connectionFactory;
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
		int most = policy.topology().deadLetterDeliveries() + MARGIN;
		int failures = 0;
		int others = 0;
		long setAside = 0;
		while (failures < most && others < MOST_OTHERS && !stopping()) {
			try (Connection connection = this.connectionFactory.createConnection()) {
				if (failures == 0) {
					setAside = count(connection, policy);
				}
				emptyOn(connection, policy);
				if (failures > 0) {
					report(connection, policy, failures, setAside);
				}
				return true;
			}
			catch (AmqpException | IOException | ShutdownSignalException ex) {
				logger.debug("A dead letter of '%s' could not be received".formatted(policy.messageType()), ex);
				boolean unreadable = ReaderFailure.is(ex);
				failures += unreadable ? 1 : 0;
				others += unreadable ? 0 : 1;
				paused(unreadable ? PAUSE : LONG_PAUSE);
			}
		}
		// the container knows how to wait for a broker that is away, or a queue
		return failures < most;
	}

	private void emptyOn(Connection connection, MessagePolicy policy) throws IOException {
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
				response = channel.basicGet(queue, false);
			}
			if (response != null) {
				channel.basicNack(response.getEnvelope().getDeliveryTag(), false, true);
			}
		}
		finally {
			channel.abort();
		}
	}

	/** Not Spring's channel: closing one of those only puts it into its cache. */
	private static Channel open(Connection connection) throws IOException {
		com.rabbitmq.client.Connection delegate = connection.getDelegate();
		Channel channel = (delegate != null) ? delegate.createChannel() : null;
		if (channel == null) {
			throw new IOException("no channel left on the connection");
		}
		return channel;
	}

	/** What is not settled when the connection ends is counted as delivered too. */
	private void awaitHandover(MessagePolicy policy) {
		for (long waited = 0; waited < LONGEST_HANDOVER && this.receiver.busy(policy); waited += 2) {
			paused(2);
		}
	}

	private void report(Connection connection, MessagePolicy policy, int failures, long before) throws IOException {
		for (long waited = 0; waited < LONGEST_MOVE && !stopping(); waited += 50) {
			long added = count(connection, policy) - before;
			if (added > 0) {
				logger.error(("A dead-lettered message of '%s' ended the connection at each of %d deliveries. "
						+ "The broker moved it to '%s', where it stays until somebody removes it")
					.formatted(policy.messageType(), failures, policy.topology().undeliverable()));
				this.receiver.undeliverable(policy);
				return;
			}
			paused(50);
		}
	}

	private static long count(Connection connection, MessagePolicy policy) throws IOException {
		Channel channel = open(connection);
		try {
			return channel.messageCount(policy.topology().undeliverable());
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

		void undeliverable(MessagePolicy policy);

	}

}
