/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.throughput;

import java.util.Map;

import com.rabbitmq.client.ConnectionFactory;
import io.github.rabbitretry.benchmarks.report.BenchmarkApplication;
import io.github.rabbitretry.broker.Broker;

/**
 * How a side reaches the broker.
 *
 * @param broker the broker
 * @param host the broker's host, or a proxy's
 * @param port the broker's port, or a proxy's
 */
record Route(Broker broker, String host, int port) {

	static Route direct(Broker broker) {
		return new Route(broker, broker.host(), broker.port());
	}

	Map<String, Object> properties() {
		Map<String, Object> properties = BenchmarkApplication.connectedTo(this.broker);
		properties.put("spring.rabbitmq.host", this.host);
		properties.put("spring.rabbitmq.port", this.port);
		return properties;
	}

	ConnectionFactory factory() throws Exception {
		ConnectionFactory factory = new ConnectionFactory();
		factory.setUri(this.broker.amqpUri());
		factory.setHost(this.host);
		factory.setPort(this.port);
		return factory;
	}

}
