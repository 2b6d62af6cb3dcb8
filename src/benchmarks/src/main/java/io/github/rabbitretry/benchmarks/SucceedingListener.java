/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks;

import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.amqp.rabbit.annotation.RabbitListener;

/**
 * Does nothing, so that all the time is the container's and ours.
 */
class SucceedingListener {

	private static final AtomicInteger HANDLED = new AtomicInteger();

	SucceedingListener() {
		HANDLED.set(0);
	}

	/**
	 * How many messages the last one handled. Those that are handled are acknowledged at
	 * once; what a consumer has fetched only is neither in its queue nor handled.
	 */
	static int handled() {
		return HANDLED.get();
	}

	@RabbitListener(queues = "${benchmark.work}")
	void handle(byte[] body) {
		HANDLED.incrementAndGet();
	}

}
