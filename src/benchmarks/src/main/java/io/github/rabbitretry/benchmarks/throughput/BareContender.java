/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.throughput;

import com.rabbitmq.client.ConnectionFactory;

/**
 * What the client and the broker can do at most.
 *
 * @param route leads to the broker
 */
record BareContender(Route route) implements Contender {

	@Override
	public String name() {
		return "bare amqp-client loop (the limit)";
	}

	@Override
	public Goal goal() {
		return Goal.HANDED_OVER;
	}

	@Override
	public Layout layout(String work) {
		return Layout.retrying(work);
	}

	@Override
	public Consumption prepare(Layout layout) throws Exception {
		ConnectionFactory factory = this.route.factory();
		return new BareLoop(factory.newConnection("consumer"), factory.newConnection("publisher"), layout);
	}

}
