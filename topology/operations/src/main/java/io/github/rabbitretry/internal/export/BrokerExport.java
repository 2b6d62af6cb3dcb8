/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.export;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

import io.github.rabbitretry.internal.snapshot.RemedyCommands;
import io.github.rabbitretry.internal.topology.ApplicationTopology;
import io.github.rabbitretry.internal.topology.BindingDefinition;
import io.github.rabbitretry.internal.topology.ExchangeDefinition;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.TopologyParts;
import io.github.rabbitretry.internal.topology.TypeTopology;

import org.springframework.amqp.core.Binding.DestinationType;

/**
 * What message policies need of the broker: as definitions, which RabbitMQ imports, and
 * as commands. The broker is not asked.
 *
 * @param policies the message policies
 * @param options what it is made for
 */
public record BrokerExport(List<TypeTopology> policies, ExportOptions options) {

	/** The line before commands that need the exchanges. */
	public static final String AFTER_DECLARATION = "# once the exchanges are declared or imported: which queues messages on the ladder may be for";

	/**
	 * Exchanges, queues and bindings as RabbitMQ's definitions have them, always in the
	 * same order.
	 * @return what becomes JSON
	 */
	public Map<String, Object> definitions() {
		TopologyParts parts = TopologyParts.of(ApplicationTopology.topologies(this.policies));
		Map<String, Object> definitions = new LinkedHashMap<>();
		definitions.put("exchanges", sorted(parts.exchanges(), ExchangeDefinition::name, this::exchange));
		definitions.put("queues", sorted(parts.queues().stream().filter((queue) -> !queue.existing()).toList(),
				QueueDefinition::name, this::queue));
		definitions.put("bindings", sorted(parts.bindings(), BindingDefinition::toString, this::binding));
		return definitions;
	}

	private static <T> List<Map<String, Object>> sorted(List<T> parts, Function<T, String> by,
			Function<T, Map<String, Object>> definition) {
		return parts.stream().sorted(Comparator.comparing(by)).map(definition).toList();
	}

	private Map<String, Object> exchange(ExchangeDefinition exchange) {
		return RemedyCommands.ordered("name", exchange.name(), "vhost", this.options.virtualHost(), "type",
				exchange.type(), "durable", true, "auto_delete", false, "internal", false, "arguments",
				new TreeMap<>(exchange.arguments()));
	}

	private Map<String, Object> queue(QueueDefinition queue) {
		return RemedyCommands.ordered("name", queue.name(), "vhost", this.options.virtualHost(), "durable", true,
				"auto_delete", false, "arguments", queue.arguments());
	}

	private Map<String, Object> binding(BindingDefinition binding) {
		return RemedyCommands.ordered("source", binding.exchange(), "vhost", this.options.virtualHost(), "destination",
				binding.destination(), "destination_type",
				(binding.type() == DestinationType.QUEUE) ? "queue" : "exchange", "routing_key", binding.routingKey(),
				"arguments", Map.of());
	}

	/**
	 * The commands that make users with the least permissions of roles.
	 * @param roles the roles
	 * @return lines for a shell
	 */
	public List<String> permissionCommands(Collection<Role> roles) {
		RolePermissions least = new RolePermissions(this.policies, this.options);
		List<String> commands = new ArrayList<>();
		List<String> topics = new ArrayList<>();
		for (Role role : roles) {
			commands.addAll(least.of(role).commands(this.options.virtualHost()));
			topics.addAll(least.of(role).topicCommands(this.options.virtualHost()));
		}
		if (!topics.isEmpty()) {
			commands.add(AFTER_DECLARATION);
			commands.addAll(topics);
		}
		return commands;
	}

}
