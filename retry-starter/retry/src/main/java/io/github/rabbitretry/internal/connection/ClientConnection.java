/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.io.IOException;
import java.util.Objects;

import com.rabbitmq.client.Channel;

import org.springframework.amqp.AmqpConnectException;
import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Gets the client's connection from a connection factory. Stand-ins in tests have none,
 * nor a virtual host: they are as good as a broker that can't be reached.
 */
public final class ClientConnection {

	private ClientConnection() {
	}

	/**
	 * Opens a connection.
	 * @param connectionFactory leads to the broker
	 * @return a connection that has a delegate
	 * @throws AmqpConnectException if there is none
	 */
	public static Connection open(ConnectionFactory connectionFactory) {
		Connection connection = connectionFactory.createConnection();
		delegate(connection);
		return connection;
	}

	/**
	 * Gets the client's connection.
	 * @param connection Spring AMQP's
	 * @return its delegate
	 * @throws AmqpConnectException if there is none
	 */
	public static com.rabbitmq.client.Connection delegate(Connection connection) {
		com.rabbitmq.client.Connection delegate = (connection != null) ? connection.getDelegate() : null;
		if (delegate == null) {
			throw new AmqpConnectException("the connection factory gives no access to its connection", null);
		}
		return delegate;
	}

	/**
	 * Opens a channel.
	 * @param connection where
	 * @return the channel
	 * @throws IOException if that fails, or no channel is left
	 */
	public static Channel channel(com.rabbitmq.client.Connection connection) throws IOException {
		Channel channel = connection.createChannel();
		if (channel == null) {
			throw new IOException("no channel left on the connection");
		}
		return channel;
	}

	/**
	 * Has the next connection go to the address after the one that is tried first now,
	 * unless the order is random or none of the factory's own.
	 * @param connectionFactory leads to a broker that has several
	 */
	public static void takeNextAddress(ConnectionFactory connectionFactory) {
		if (connectionFactory instanceof AbstractConnectionFactory factory) {
			new FactorySettings(factory).rotateAddresses();
		}
	}

	/**
	 * Names the virtual host.
	 * @param connectionFactory leads to the broker
	 * @return its virtual host, RabbitMQ's default if it has none
	 */
	public static String virtualHost(ConnectionFactory connectionFactory) {
		return Objects.requireNonNullElse(connectionFactory.getVirtualHost(), "/");
	}

}
