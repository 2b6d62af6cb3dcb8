/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Collects exchanges, queues and bindings in the order of their declaration.
 */
final class PartsCollector {

	private final List<ExchangeDefinition> exchanges = new ArrayList<>();

	private final List<QueueDefinition> queues = new ArrayList<>();

	private final List<BindingDefinition> bindings = new ArrayList<>();

	void exchange(String name, String type) {
		exchange(name, type, Map.of());
	}

	void exchange(String name, String type, Map<String, Object> arguments) {
		this.exchanges.add(new ExchangeDefinition(name, type, arguments));
	}

	void queue(String name, QueueRole role, Map<String, Object> arguments) {
		this.queues.add(new QueueDefinition(name, role, arguments));
	}

	void queue(QueueDefinition queue) {
		this.queues.add(queue);
	}

	void existing(String name, QueueRole role) {
		this.queues.add(QueueDefinition.existing(name, role));
	}

	void bind(String exchange, String routingKey, String queue) {
		bind(BindingDefinition.toQueue(exchange, routingKey, queue));
	}

	/** By the queue's own name. */
	void bindByName(String exchange, String queue) {
		bind(exchange, queue, queue);
	}

	void bindExchange(String exchange, String routingKey, String destination) {
		bind(BindingDefinition.toExchange(exchange, routingKey, destination));
	}

	void bind(BindingDefinition binding) {
		this.bindings.add(binding);
	}

	TopologyParts collected() {
		return new TopologyParts(this.exchanges, this.queues, this.bindings);
	}

}
