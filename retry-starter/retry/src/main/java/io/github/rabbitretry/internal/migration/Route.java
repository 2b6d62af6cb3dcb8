/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.util.Map;

import io.github.rabbitretry.internal.topology.BindingModel;

import org.springframework.amqp.core.Binding.DestinationType;

/**
 * A binding.
 *
 * @param exchange where messages come from
 * @param key the routing key
 * @param arguments the arguments, as of a headers exchange
 * @param type whether it leads to a queue
 * @param destination where it leads to
 */
public record Route(String exchange, String key, Map<String, Object> arguments, DestinationType type,
		String destination) {

	public Route {
		arguments = SeenQueue.comparable(arguments);
	}

	static Route of(BindingModel model) {
		return new Route(model.exchange(), model.routingKey(), Map.of(), model.type(), model.destination());
	}

	static Route toQueue(String exchange, String key, String queue) {
		return new Route(exchange, key, Map.of(), DestinationType.QUEUE, queue);
	}

	/** The same way to another destination. */
	Route to(String other) {
		return new Route(this.exchange, this.key, this.arguments, this.type, other);
	}

	boolean leadsToQueue() {
		return this.type == DestinationType.QUEUE;
	}

	boolean leadsTo(String queue) {
		return leadsToQueue() && this.destination.equals(queue);
	}

	@Override
	public String toString() {
		return "%s --%s--> %s%s".formatted(this.exchange, this.key, this.destination,
				this.arguments.isEmpty() ? "" : " " + this.arguments);
	}

}
