/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.chaos;

import java.io.IOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.broker.BrokerCluster;

/**
 * What a run runs on: one broker, or a cluster.
 *
 * @param addresses where clients connect to
 * @param any a node that answers
 */
record ChaosServers(String addresses, Supplier<Broker> any) {

	static ChaosServers of(Broker broker) {
		return new ChaosServers(broker.host() + ":" + broker.port(), () -> broker);
	}

	static ChaosServers of(BrokerCluster cluster) {
		return new ChaosServers(cluster.addresses(), cluster::anyNode);
	}

	Broker broker() {
		return this.any.get();
	}

	Connection connect(String name) {
		try {
			ConnectionFactory factory = new ConnectionFactory();
			factory.setUri(broker().amqpUri());
			factory.setAutomaticRecoveryEnabled(false);
			// a frozen node accepts connections and says nothing
			factory.setHandshakeTimeout(3_000);
			factory.setRequestedHeartbeat(5);
			return factory.newConnection(List.of(Address.parseAddresses(this.addresses)), name);
		}
		catch (IOException | TimeoutException | URISyntaxException | GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	List<String> arguments() {
		Broker broker = broker();
		return List.of("--spring.rabbitmq.addresses=" + this.addresses,
				"--spring.rabbitmq.username=" + broker.username(), "--spring.rabbitmq.password=" + broker.password(),
				"--spring.rabbitmq.virtual-host=" + broker.virtualHost());
	}

}
