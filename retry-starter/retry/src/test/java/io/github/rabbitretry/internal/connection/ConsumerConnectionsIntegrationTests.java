/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.time.Duration;

import com.rabbitmq.client.Connection;
import io.github.rabbitretry.broker.Broker;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory.AddressShuffleMode;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

class ConsumerConnectionsIntegrationTests {

	private final ConsumerConnections connections = new ConsumerConnections(
			new ConnectionAborter(new StopDeadline(Duration.ofSeconds(20))));

	@AfterEach
	void close() {
		this.connections.close();
	}

	@Test
	void goToTheNextAddressWithTheApplicationsOwn() {
		ConnectionFactory moved = factory();
		ConnectionFactory deadLetters = this.connections.of(moved, ConsumerConnections.DEAD_LETTERS);
		ConnectionFactory ledger = this.connections.of(moved, "ledger");
		ConnectionFactory ofAnother = this.connections.of(factory(), ConsumerConnections.DEAD_LETTERS);
		Connection first = open(deadLetters);
		Connection second = open(ledger);
		Connection third = open(ofAnother);
		assertThat(first.getAddress().toString()).startsWith("localhost/");
		ClientConnection.takeNextAddress(moved);
		this.connections.reconnect(moved);
		Awaitility.await().until(() -> !first.isOpen() && !second.isOpen());
		assertThat(third.isOpen()).isTrue();
		assertThat(open(deadLetters).getAddress().toString()).startsWith("/127.0.0.1");
		assertThat(open(ledger).getAddress().toString()).startsWith("/127.0.0.1");
	}

	private static Connection open(ConnectionFactory factory) {
		return ClientConnection.delegate(factory.createConnection());
	}

	/** With two names of one broker. */
	private static CachingConnectionFactory factory() {
		Broker broker = Broker.shared();
		CachingConnectionFactory factory = new CachingConnectionFactory();
		factory.setAddresses("localhost:%s,127.0.0.1:%1$s".formatted(broker.port()));
		factory.setAddressShuffleMode(AddressShuffleMode.NONE);
		factory.setUsername(broker.username());
		factory.setPassword(broker.password());
		factory.setVirtualHost(broker.virtualHost());
		return factory;
	}

}
