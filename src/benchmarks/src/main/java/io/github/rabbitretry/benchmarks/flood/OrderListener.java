/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.flood;

import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.support.converter.JacksonJsonMessageConverter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Handles orders, if they can be read.
 */
@Configuration(proxyBeanMethods = false)
class OrderListener {

	private final AtomicInteger handled = new AtomicInteger();

	private volatile Latencies latencies = new Latencies();

	void record(Latencies latencies) {
		this.latencies = latencies;
	}

	/** How many were handled in all. */
	int handled() {
		return this.handled.get();
	}

	@RabbitListener(queues = "${flood.queue}")
	void handle(Order order) {
		if (order.dueAt() != Order.NOT_MEASURED) {
			this.latencies.add(System.nanoTime() - order.dueAt());
		}
		this.handled.incrementAndGet();
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

		static final long NOT_MEASURED = 0;

	}

}
