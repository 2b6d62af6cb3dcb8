/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.management;

import java.net.InetAddress;

import javax.net.ssl.SSLSocketFactory;

import io.github.rabbitretry.internal.connection.ClientConnection;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Finds the management API: as configured, or on the usual port of the host that the
 * connection leads to, by TLS if the connection is. It is trusted as the broker is.
 */
public final class ManagementLocator {

	private final ConnectionFactory connectionFactory;

	private final ManagementAccess access;

	/**
	 * Creates it.
	 * @param connectionFactory leads to the broker
	 * @param access what is configured
	 */
	public ManagementLocator(ConnectionFactory connectionFactory, ManagementAccess access) {
		this.connectionFactory = connectionFactory;
		this.access = access;
	}

	/**
	 * Finds it.
	 * @return asks it about the virtual host of the connection
	 * @throws ManagementUnavailableException if that can't be known
	 * @throws org.springframework.amqp.AmqpException if the broker can't be reached
	 */
	public ManagementClient locate() {
		return new ManagementClient(settings());
	}

	/**
	 * Finds its address and credentials.
	 * @return them, for the virtual host of the connection
	 * @throws ManagementUnavailableException if they can't be known
	 * @throws org.springframework.amqp.AmqpException if the broker can't be reached
	 */
	public ManagementSettings settings() {
		String configured = this.access.url();
		String url = (configured != null) ? configured.replaceAll("/+$", "") : derived();
		String username = this.access.username();
		String password = this.access.password();
		if (username == null || password == null) {
			com.rabbitmq.client.ConnectionFactory factory = delegate();
			username = factory.getUsername();
			password = factory.getPassword();
		}
		return new ManagementSettings(url, username, password, ClientConnection.virtualHost(this.connectionFactory),
				sockets());
	}

	private String derived() {
		boolean secure = delegate().isSSL();
		// with cache mode CONNECTION, one that is not closed is a leak at each look
		try (Connection connection = this.connectionFactory.createConnection()) {
			com.rabbitmq.client.Connection delegate = (connection != null) ? connection.getDelegate() : null;
			if (delegate == null) {
				throw new ManagementUnavailableException("the connection factory gives no access to its connection");
			}
			return (secure ? "https://%s:15671" : "http://%s:15672").formatted(host(delegate.getAddress()));
		}
	}

	/** The name that was connected to, without looking one up; else the address. */
	private static String host(InetAddress address) {
		String text = address.toString();
		String name = text.substring(0, Math.max(text.indexOf('/'), 0));
		String host = name.isEmpty() ? address.getHostAddress().replaceAll("%.*", "") : name;
		return host.contains(":") ? "[" + host + "]" : host;
	}

	private @Nullable SSLSocketFactory sockets() {
		return (this.connectionFactory instanceof AbstractConnectionFactory known
				&& known.getRabbitConnectionFactory().getSocketFactory() instanceof SSLSocketFactory secure) ? secure
						: null;
	}

	private com.rabbitmq.client.ConnectionFactory delegate() {
		@Nullable ConnectionFactory factory = this.connectionFactory;
		if (factory instanceof AbstractConnectionFactory known) {
			return known.getRabbitConnectionFactory();
		}
		throw new ManagementUnavailableException("the connection factory does not expose its user and password");
	}

}
