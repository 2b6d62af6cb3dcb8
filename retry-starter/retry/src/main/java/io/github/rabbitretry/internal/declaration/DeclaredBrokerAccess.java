/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import javax.net.ssl.SSLSocketFactory;

import io.github.rabbitretry.internal.broker.BrokerAccess;
import io.github.rabbitretry.internal.broker.ManagementAccess;
import io.github.rabbitretry.internal.connection.ClientConnection;
import io.github.rabbitretry.internal.connection.QueueLookup;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.TopologyParts;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Reaches the broker by a connection factory of the application.
 */
public final class DeclaredBrokerAccess implements BrokerAccess {

	private final ConnectionFactory connectionFactory;

	private final ConnectionFactory examining;

	private final ManagementAccess management;

	/**
	 * Creates it.
	 * @param connectionFactory leads to the broker
	 * @param examining leads there by a connection that publishes nothing, since an alarm
	 * blocks connections that do
	 * @param management how the management API is configured
	 */
	public DeclaredBrokerAccess(ConnectionFactory connectionFactory, ConnectionFactory examining,
			ManagementAccess management) {
		this.connectionFactory = connectionFactory;
		this.examining = examining;
		this.management = management;
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
	public ManagementAccess management() {
		return this.management;
	}

	@Override
	public Login login() {
		if (!(this.connectionFactory instanceof AbstractConnectionFactory known)) {
			return new Login(null, null, null);
		}
		com.rabbitmq.client.ConnectionFactory factory = known.getRabbitConnectionFactory();
		return new Login(factory.getPassword(), factory.isSSL(),
				(factory.getSocketFactory() instanceof SSLSocketFactory sockets) ? sockets : null);
	}

	/** The name that was connected to, without looking one up; else the address. */
	@Override
	public String host() {
		// with cache mode CONNECTION, one that is not closed is a leak at each look
		try (Connection connection = ClientConnection.open(this.connectionFactory)) {
			InetAddress address = ClientConnection.delegate(connection).getAddress();
			String text = address.toString();
			String name = text.substring(0, Math.max(text.indexOf('/'), 0));
			String host = name.isEmpty() ? address.getHostAddress().replaceAll("%.*", "") : name;
			return host.contains(":") ? "[" + host + "]" : host;
		}
	}

	@Override
	public void onConnection(Runnable action) {
		this.connectionFactory.addConnectionListener((connection) -> action.run());
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
