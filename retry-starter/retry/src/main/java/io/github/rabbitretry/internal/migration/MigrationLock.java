/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.io.IOException;
import java.util.Map;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.handover.BrokerText;

/**
 * Keeps a second migration of the same virtual host from beginning: two would delete what
 * the other has made. An exclusive queue, which ends with the process that has it.
 */
final class MigrationLock implements AutoCloseable {

	static final String QUEUE = "rabbit-retry.migration";

	private static final int RESOURCE_LOCKED = 405;

	private final Channel channel;

	private MigrationLock(Channel channel) {
		this.channel = channel;
	}

	/**
	 * Takes the lock.
	 * @param connection has it until it is closed
	 * @return the lock
	 * @throws MigrationException if another migration has it, or the user may not declare
	 * the queue
	 */
	static MigrationLock take(Connection connection) {
		try {
			Channel channel = connection.createChannel();
			if (channel == null) {
				throw new IOException("no channel left on the connection");
			}
			channel.queueDeclare(QUEUE, false, true, true, Map.of());
			return new MigrationLock(channel);
		}
		catch (IOException | ShutdownSignalException ex) {
			String words = BrokerText.of(ex);
			throw new MigrationException(
					words.contains("RESOURCE_LOCKED") || words.contains("reply-code=" + RESOURCE_LOCKED)
							? "Another migration of this virtual host runs: it has queue '%s'. Wait until it has ended."
								.formatted(QUEUE)
							: "Queue '%s', which keeps two migrations apart, can't be declared: %s".formatted(QUEUE,
									words),
					ex);
		}
	}

	@Override
	public void close() {
		try {
			this.channel.queueDelete(QUEUE);
			this.channel.close();
		}
		catch (Exception ex) {
			// it ends with the connection
		}
	}

}
