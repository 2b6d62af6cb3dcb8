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

import io.github.rabbitretry.internal.topology.BindingModel;
import io.github.rabbitretry.internal.topology.ExchangeModel;
import io.github.rabbitretry.internal.topology.QueueModel;
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
				sorted(parts.exchanges(), ExchangeModel::name, (exchange) -> exchange(exchange, virtualHost)));
		definitions.put("queues", sorted(parts.queues().stream().filter((queue) -> !queue.existing()).toList(),
				QueueModel::name, (queue) -> queue(queue, virtualHost)));
		definitions.put("bindings",
				sorted(parts.bindings(), BindingModel::toString, (binding) -> binding(binding, virtualHost)));
		return definitions;
	}

	private static <T> List<Map<String, Object>> sorted(List<T> parts, Function<T, String> by,
			Function<T, Map<String, Object>> definition) {
		return parts.stream().sorted(Comparator.comparing(by)).map(definition).toList();
	}

	private static Map<String, Object> exchange(ExchangeModel exchange, String virtualHost) {
		Map<String, Object> definition = new LinkedHashMap<>();
		definition.put("name", exchange.name());
		definition.put("vhost", virtualHost);
		definition.put("type", exchange.type());
		definition.put("durable", true);
		definition.put("auto_delete", false);
		definition.put("internal", false);
		definition.put("arguments", new TreeMap<>(exchange.arguments()));
		return definition;
	}

	private static Map<String, Object> queue(QueueModel queue, String virtualHost) {
		Map<String, Object> definition = new LinkedHashMap<>();
		definition.put("name", queue.name());
		definition.put("vhost", virtualHost);
		definition.put("durable", true);
		definition.put("auto_delete", false);
		definition.put("arguments", queue.declaredArguments());
		return definition;
	}

	private static Map<String, Object> binding(BindingModel binding, String virtualHost) {
		Map<String, Object> definition = new LinkedHashMap<>();
		definition.put("source", binding.exchange());
		definition.put("vhost", virtualHost);
		definition.put("destination", binding.destination());
		definition.put("destination_type", (binding.type() == DestinationType.QUEUE) ? "queue" : "exchange");
		definition.put("routing_key", binding.routingKey());
		definition.put("arguments", Map.of());
		return definition;
	}

}
