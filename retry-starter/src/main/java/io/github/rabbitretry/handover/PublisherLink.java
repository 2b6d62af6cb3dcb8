/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.handover;

import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Connection;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * The publishing connection beside a consuming one. It is apart because a connection that
 * publishes is not read any more under a memory or disk alarm, and acknowledgements would
 * be stuck on it.
 */
final class PublisherLink implements BlockedListener {

	private static final Log logger = LogFactory.getLog(PublisherLink.class);

	private final ConnectionFactory connectionFactory;

	private volatile @Nullable Connection connection;

	private volatile boolean blocked;

	private volatile long unblockedAt = System.nanoTime();

	PublisherLink(ConnectionFactory connectionFactory) {
		ConnectionFactory publisher = connectionFactory.getPublisherConnectionFactory();
		this.connectionFactory = (publisher != null) ? publisher : connectionFactory;
	}

	/**
	 * The connection, opened if need be. Called by the lanes' one thread.
	 * @return an open connection
	 * @throws AmqpException if there is none to be had now
	 */
	Connection connection() {
		Connection current = this.connection;
		if (current != null && current.isOpen()) {
			return current;
		}
		current = this.connectionFactory.createConnection().getDelegate();
		if (current == null) {
			throw new AmqpException("the connection factory gives no access to its connection");
		}
		this.blocked = false;
		current.addBlockedListener(this);
		this.connection = current;
		return current;
	}

	/**
	 * Whether the broker asked not to publish.
	 * @return {@code true} from an alarm to its end, or to the connection's
	 */
	boolean blocked() {
		Connection current = this.connection;
		return this.blocked && current != null && current.isOpen();
	}

	/**
	 * Since when confirms may be expected: the broker does not read while it blocks.
	 * @return the end of the last alarm, as {@link System#nanoTime()} tells it
	 */
	long unblockedAt() {
		return this.unblockedAt;
	}

	@Override
	public void handleBlocked(String reason) {
		this.blocked = true;
		logger.warn("The broker blocks publishers (%s): failed deliveries are held until it lets go".formatted(reason));
	}

	@Override
	public void handleUnblocked() {
		this.unblockedAt = System.nanoTime();
		this.blocked = false;
		logger.info("The broker takes copies again");
	}

}
