/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What has to be on the broker: exchanges, queues, and then the bindings between them.
 *
 * @param exchanges the exchanges
 * @param queues the queues
 * @param bindings the bindings
 */
public record TopologyParts(List<ExchangeDefinition> exchanges, List<QueueDefinition> queues,
		List<BindingDefinition> bindings) {

	public TopologyParts {
		exchanges = List.copyOf(exchanges);
		queues = List.copyOf(queues);
		bindings = List.copyOf(bindings);
	}

	/**
	 * What several topologies need; what they share is in it once.
	 * @param topologies the topologies
	 * @return the parts
	 */
	public static TopologyParts of(Collection<MessageTopology> topologies) {
		Set<ExchangeDefinition> exchanges = new LinkedHashSet<>();
		Set<QueueDefinition> queues = new LinkedHashSet<>();
		Set<BindingDefinition> bindings = new LinkedHashSet<>();
		List<TopologyParts> all = new ArrayList<>(topologies.stream().map(MessageTopology::ownParts).toList());
		int levels = topologies.stream().mapToInt(MessageTopology::ladderLevels).max().orElse(0);
		if (levels > 0) {
			all.add(DelayLadder.parts(levels));
		}
		if (topologies.stream().anyMatch(MessageTopology::needsLastQueue)) {
			all.add(new TopologyParts(List.of(), List.of(DelayLadder.lastQueue()), List.of()));
		}
		for (TopologyParts parts : all) {
			exchanges.addAll(parts.exchanges);
			queues.addAll(parts.queues);
			bindings.addAll(parts.bindings);
		}
		return new TopologyParts(List.copyOf(exchanges), List.copyOf(queues), List.copyOf(bindings));
	}

	/**
	 * Collects exchanges, queues and bindings in the order of their declaration.
	 */
	static final class Collector {

		private final List<ExchangeDefinition> exchanges = new ArrayList<>();

		private final List<QueueDefinition> queues = new ArrayList<>();

		private final List<BindingDefinition> bindings = new ArrayList<>();

		void exchange(String name, String type) {
			this.exchanges.add(new ExchangeDefinition(name, type));
		}

		void queue(String name, QueueRole role, Map<String, Object> arguments) {
			this.queues.add(new QueueDefinition(name, role, arguments));
		}

		void exchange(ExchangeDefinition exchange) {
			this.exchanges.add(exchange);
		}

		void queue(QueueDefinition queue) {
			this.queues.add(queue);
		}

		void bind(String exchange, String routingKey, String queue) {
			bind(BindingDefinition.toQueue(exchange, routingKey, queue));
		}

		/** By the queue's own name. */
		void bindByName(String exchange, String queue) {
			bind(exchange, queue, queue);
		}

		void bind(BindingDefinition binding) {
			this.bindings.add(binding);
		}

		TopologyParts collected() {
			return new TopologyParts(this.exchanges, this.queues, this.bindings);
		}

	}

}
