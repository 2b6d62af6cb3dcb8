/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.flood;

import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The queues that the starter declares for the other side.
 */
@Configuration(proxyBeanMethods = false)
class RecipeQueues {

	@Bean
	Queue orders(@Value("${flood.queue}") String name) {
		return QueueBuilder.durable(name).quorum().build();
	}

	@Bean
	Queue parked(@Value("${flood.parking-lot}") String name) {
		return QueueBuilder.durable(name).quorum().build();
	}

}
