/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.metrics;

import java.util.Locale;
import java.util.Map;

import io.github.rabbitretry.internal.connection.ClientConnection;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.TopologyParts;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Names the application's queues, so that alerts can distinguish them from all others of
 * the broker: the broker's own metrics are joined with these by virtual host and name.
 */
public final class QueueMetrics {

	private final MeterRegistry registry;

	/**
	 * Creates the metrics.
	 * @param registry where meters go
	 */
	public QueueMetrics(MeterRegistry registry) {
		this.registry = registry;
	}

	/**
	 * Registers the queues of policies.
	 * @param policies by the connection factory that leads to their virtual host
	 */
	public void register(Map<ConnectionFactory, MessagePolicies> policies) {
		policies.forEach((connectionFactory, some) -> {
			for (QueueDefinition queue : TopologyParts.of(some.topologies()).queues()) {
				register(connectionFactory, queue.name(),
						queue.role().name().toLowerCase(Locale.ROOT).replace('_', '-'));
			}
		});
	}

	/**
	 * Registers a queue.
	 * @param connectionFactory leads to its virtual host
	 * @param queue its name
	 * @param role what it is for
	 */
	public void register(ConnectionFactory connectionFactory, String queue, String role) {
		Gauge.builder("rabbit.retry.queue", () -> 1)
			.description("Always 1: a queue that the application uses")
			.tags("vhost", ClientConnection.virtualHost(connectionFactory), "queue", queue, "role", role)
			.register(this.registry);
	}

}
