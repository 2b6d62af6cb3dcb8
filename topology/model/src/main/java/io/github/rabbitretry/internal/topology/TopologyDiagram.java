/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Draws a topology as a Mermaid flow chart, from the model alone.
 */
public final class TopologyDiagram {

	private TopologyDiagram() {
	}

	/**
	 * Draws the topology; the ladder is drawn as one node.
	 * @param topology the topology
	 * @return Mermaid text, lines ended by {@code \n}
	 */
	public static String mermaid(MessageTopology topology) {
		Map<String, String> exchangeIds = new LinkedHashMap<>();
		Map<String, String> queueIds = new LinkedHashMap<>();
		StringBuilder text = new StringBuilder("flowchart LR\n");
		TopologyParts parts = topology.ownParts();
		for (ExchangeDefinition exchange : parts.exchanges()) {
			String id = "x" + exchangeIds.size();
			exchangeIds.put(exchange.name(), id);
			text.append("  %s{{\"%s (%s)\"}}\n".formatted(id, escape(exchange.name()), exchange.type()));
		}
		for (QueueDefinition queue : parts.queues()) {
			String id = "q" + queueIds.size();
			queueIds.put(queue.name(), id);
			text.append("  %s[(\"%s\")]\n".formatted(id, escape(queue.name())));
		}
		if (topology.hasLadder()) {
			queueIds.put(DelayLadder.UNROUTABLE, "u0");
			text.append("  u0[(\"%s\")]\n".formatted(DelayLadder.UNROUTABLE));
			exchangeIds.put(DelayLadder.EXIT, "l0");
			text.append("  l0[[\"%s.*\"]]\n".formatted(DelayLadder.NAME));
		}
		for (BindingDefinition binding : parts.bindings()) {
			text.append("  %s -->|\"%s\"| %s\n".formatted(exchangeIds.get(binding.exchange()), label(topology, binding),
					queueIds.get(binding.destination())));
		}
		for (QueueDefinition queue : parts.queues()) {
			Object exchange = queue.arguments().get("x-dead-letter-exchange");
			if (exchange != null) {
				// the default exchange leads to the queue that the routing key names
				String to = exchange.equals(MessageTopology.DEFAULT_EXCHANGE)
						? queueIds.get(String.valueOf(queue.arguments().get("x-dead-letter-routing-key")))
						: exchangeIds.get(exchange.toString());
				text.append("  %s -.->|\"%s\"| %s\n".formatted(queueIds.get(queue.name()), why(queue), to));
			}
		}
		if (topology.hasLadder()) {
			text.append("  l0 -.->|\"the queue is not there\"| u0\n");
		}
		return text.toString();
	}

	private static String label(MessageTopology topology, BindingDefinition binding) {
		if (!binding.exchange().equals(DelayLadder.EXIT)) {
			return escape(binding.routingKey());
		}
		if (!binding.destination().equals(topology.endOfLadder())) {
			return "after a random time";
		}
		return topology.levels().isEmpty() ? "after any delay" : "after any other delay";
	}

	private static String why(QueueDefinition queue) {
		Object ttl = queue.arguments().get("x-message-ttl");
		return (ttl != null) ? "after " + ttl + " ms" : "given up by the broker";
	}

	private static String escape(String name) {
		return name.replace("\"", "#quot;");
	}

}
