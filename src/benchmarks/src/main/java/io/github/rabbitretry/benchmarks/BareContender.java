/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks;

import com.rabbitmq.client.ConnectionFactory;
import io.github.rabbitretry.broker.Broker;

/**
 * What the client and the broker can do at most.
 *
 * @param broker where
 */
record BareContender(Broker broker) implements Contender {

	@Override
	public String name() {
		return "bare amqp-client loop (the limit)";
	}

	@Override
	public Consumption prepare(BenchmarkEnvironment environment) throws Exception {
		ConnectionFactory factory = new ConnectionFactory();
		factory.setUri(this.broker.amqpUri());
		return new BareLoop(factory.newConnection("consumer"), factory.newConnection("publisher"), environment);
	}

}
