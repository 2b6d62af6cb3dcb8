/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.internal.connection.ClientConnection;
import io.github.rabbitretry.internal.connection.QueueLookup;
import io.github.rabbitretry.internal.management.ManagementAccess;
import io.github.rabbitretry.internal.management.ManagementLocator;
import io.github.rabbitretry.internal.management.ManagementSettings;
import io.github.rabbitretry.internal.broker.BrokerAccess;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.TopologyParts;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Reaches the broker by a connection factory of the application.
 */
public final class DeclaredBrokerAccess implements BrokerAccess {

	private final ConnectionFactory connectionFactory;

	private final ConnectionFactory examining;

	private final ManagementLocator locator;

	/**
	 * Creates it.
	 * @param connectionFactory leads to the broker
	 * @param examining leads there by a connection that publishes nothing, since an alarm
	 * blocks connections that do
	 * @param access how the management API is configured
	 */
	public DeclaredBrokerAccess(ConnectionFactory connectionFactory, ConnectionFactory examining,
			ManagementAccess access) {
		this.connectionFactory = connectionFactory;
		this.examining = examining;
		this.locator = new ManagementLocator(connectionFactory, access);
	}

	@Override
	public String virtualHost() {
		return ClientConnection.virtualHost(this.connectionFactory);
	}

	@Override
	public @Nullable String username() {
		return this.connectionFactory.getUsername();
	}

	@Override
	public ManagementSettings management() {
		return this.locator.settings();
	}

	@Override
	public Answer verify(TopologyParts parts) {
		try (Connection connection = ClientConnection.open(this.examining)) {
			com.rabbitmq.client.Connection delegate = ClientConnection.delegate(connection);
			return new Answer(new TopologyDeclarer(delegate, TopologyMode.VERIFY).run(parts, false),
					depths(delegate, parts.queues()));
		}
	}

	/** Of the queues that are there and may be asked about. */
	private static Map<String, QueueDepth> depths(com.rabbitmq.client.Connection connection,
			List<QueueDefinition> queues) {
		Map<String, QueueDepth> depths = new LinkedHashMap<>();
		try (QueueLookup lookup = new QueueLookup(connection)) {
			for (QueueDefinition queue : queues) {
				lookup.depth(queue.name())
					.filter(QueueLookup.Depth::known)
					.ifPresent((depth) -> depths.put(queue.name(), new QueueDepth(depth.ready(), depth.consumers())));
			}
		}
		return depths;
	}

}
