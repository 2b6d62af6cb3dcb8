/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.ledger;

import java.io.IOException;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether queues are there, on a channel of its own, since the broker closes the
 * channel if one is not.
 */
final class QueueLookup implements AutoCloseable {

	private static final int NOT_FOUND = 404;

	private final Connection connection;

	private @Nullable Channel channel;

	QueueLookup(Connection connection) {
		this.connection = connection;
	}

	boolean exists(String queue) throws IOException {
		Channel current = this.channel;
		if (current == null || !current.isOpen()) {
			current = this.connection.createChannel();
			if (current == null) {
				throw new IOException("no channel left on the connection");
			}
			this.channel = current;
		}
		try {
			current.queueDeclarePassive(queue);
			return true;
		}
		catch (IOException ex) {
			if (notFound(ex)) {
				return false;
			}
			throw ex;
		}
	}

	private static boolean notFound(IOException ex) {
		return ex.getCause() instanceof ShutdownSignalException signal
				&& signal.getReason() instanceof com.rabbitmq.client.AMQP.Channel.Close close
				&& close.getReplyCode() == NOT_FOUND;
	}

	@Override
	public void close() {
		Channel current = this.channel;
		if (current != null) {
			try {
				current.close();
			}
			catch (IOException | TimeoutException | ShutdownSignalException ex) {
				// closed already
			}
		}
	}

}
