/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.flood;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.support.converter.JacksonJsonMessageConverter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Handles orders, if they can be read.
 */
@Configuration(proxyBeanMethods = false)
class OrderListener {

	private volatile Latencies latencies = new Latencies();

	void record(Latencies latencies) {
		this.latencies = latencies;
	}

	@RabbitListener(queues = FloodBenchmark.QUEUE)
	void handle(Order order) {
		this.latencies.add(System.nanoTime() - order.dueAt());
	}

	@Bean
	static JacksonJsonMessageConverter converter() {
		return new JacksonJsonMessageConverter();
	}

	/**
	 * A healthy message.
	 *
	 * @param dueAt when it was due to be sent: a producer that is late is no excuse
	 */
	record Order(long dueAt) {
	}

}
