/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.export;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

import io.github.rabbitretry.internal.snapshot.RemedyCommands;
import io.github.rabbitretry.internal.topology.BindingDefinition;
import io.github.rabbitretry.internal.topology.ExchangeDefinition;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.TopologyParts;

import org.springframework.amqp.core.Binding.DestinationType;

/**
 * Exchanges, queues and bindings as RabbitMQ's definitions have them, always in the same
 * order.
 */
final class Definitions {

	private Definitions() {
	}

	static Map<String, Object> of(TopologyParts parts, String virtualHost) {
		Map<String, Object> definitions = new LinkedHashMap<>();
		definitions.put("exchanges",
				sorted(parts.exchanges(), ExchangeDefinition::name, (exchange) -> exchange(exchange, virtualHost)));
		definitions.put("queues", sorted(parts.queues().stream().filter((queue) -> !queue.existing()).toList(),
				QueueDefinition::name, (queue) -> queue(queue, virtualHost)));
		definitions.put("bindings",
				sorted(parts.bindings(), BindingDefinition::toString, (binding) -> binding(binding, virtualHost)));
		return definitions;
	}

	private static <T> List<Map<String, Object>> sorted(List<T> parts, Function<T, String> by,
			Function<T, Map<String, Object>> definition) {
		return parts.stream().sorted(Comparator.comparing(by)).map(definition).toList();
	}

	private static Map<String, Object> exchange(ExchangeDefinition exchange, String virtualHost) {
		return RemedyCommands.ordered("name", exchange.name(), "vhost", virtualHost, "type", exchange.type(), "durable",
				true, "auto_delete", false, "internal", false, "arguments", new TreeMap<>(exchange.arguments()));
	}

	private static Map<String, Object> queue(QueueDefinition queue, String virtualHost) {
		return RemedyCommands.ordered("name", queue.name(), "vhost", virtualHost, "durable", true, "auto_delete", false,
				"arguments", queue.arguments());
	}

	private static Map<String, Object> binding(BindingDefinition binding, String virtualHost) {
		return RemedyCommands.ordered("source", binding.exchange(), "vhost", virtualHost, "destination",
				binding.destination(), "destination_type",
				(binding.type() == DestinationType.QUEUE) ? "queue" : "exchange", "routing_key", binding.routingKey(),
				"arguments", Map.of());
	}

}
