/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.throughput;

import java.net.SocketTimeoutException;

import org.springframework.amqp.rabbit.annotation.RabbitListener;

/**
 * Fails as a handler does whose downstream is gone, without the wait.
 */
class FailingListener {

	@RabbitListener(queues = "${benchmark.work}")
	void handle(byte[] body) throws SocketTimeoutException {
		Handled.add();
		throw new SocketTimeoutException("Read timed out");
	}

}
