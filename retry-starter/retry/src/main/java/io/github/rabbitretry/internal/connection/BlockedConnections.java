/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

import com.rabbitmq.client.Connection;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * The connections that the broker does not read because of an alarm. It says so once, so
 * that each is watched from its beginning.
 */
public final class BlockedConnections {

	private static final Set<Connection> blocked = Collections
		.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

	private BlockedConnections() {
	}

	/**
	 * Watches the connections of a factory. To be called before it opens the first.
	 * @param factory the factory
	 */
	public static void watch(ConnectionFactory factory) {
		factory.addConnectionListener((created) -> {
			Connection connection = created.getDelegate();
			if (connection != null) {
				connection.addBlockedListener((reason) -> blocked.add(connection), () -> blocked.remove(connection));
			}
		});
	}

	/**
	 * Whether the broker answers to nothing on a connection until an alarm ends.
	 * @param connection the client's connection
	 * @return {@code true} if it is blocked
	 */
	public static boolean contains(Connection connection) {
		return blocked.contains(connection);
	}

}
