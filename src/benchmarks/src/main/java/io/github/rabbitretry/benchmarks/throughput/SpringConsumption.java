/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.throughput;

import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A running application whose listeners have not started yet.
 *
 * @param context the application
 */
record SpringConsumption(ConfigurableApplicationContext context) implements Consumption {

	@Override
	public void start() {
		this.context.getBean(RabbitListenerEndpointRegistry.class).start();
	}

	/** Handles what is prefetched first: a context that closes gives it back instead. */
	@Override
	public void close() {
		this.context.getBean(RabbitListenerEndpointRegistry.class).stop();
		this.context.close();
	}

}
