/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.soak;

import java.util.concurrent.atomic.LongAdder;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.messaging.handler.annotation.Header;

/**
 * Fails one message of twenty the first time, and one of two thousand every time.
 */
class SoakListener {

	private final LongAdder succeeded = new LongAdder();

	@RabbitListener(queues = "${benchmark.work}")
	void handle(byte[] body, @Header(AmqpHeaders.MESSAGE_ID) String id,
			@Header(name = "x-app-retry-attempt", defaultValue = "0") int attempt) {
		int number = Integer.parseInt(id);
		if (number % 2_000 == 0 || (number % 20 == 0 && attempt == 0)) {
			throw new IllegalStateException("not now");
		}
		this.succeeded.increment();
	}

	long succeeded() {
		return this.succeeded.sum();
	}

}
