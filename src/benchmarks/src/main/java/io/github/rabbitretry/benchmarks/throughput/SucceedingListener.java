/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.throughput;

import org.springframework.amqp.rabbit.annotation.RabbitListener;

/**
 * Does nothing, so that all the time is the container's and ours.
 */
class SucceedingListener {

	@RabbitListener(queues = "${benchmark.work}")
	void handle(byte[] body) {
		Handled.add();
	}

}
