/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.rabbitretry.internal.broker.TopologyProblem;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueRole;

/**
 * Configuration to paste where others have what a message policy would call the same:
 * hand-made dead-letter queues often have the usual names.
 */
final class OtherNames {

	private final Map<String, String> lines = new HashMap<>();

	OtherNames(MessagePolicies policies) {
		policies.all().forEach(this::add);
	}

	private void add(MessagePolicy policy) {
		MessageTopology topology = policy.topology();
		topology.exchanges().forEach((exchange) -> {
			if (exchange.name().equals(topology.ringExchange())) {
				add(policy, PartDeclarer.name(exchange), "ring-exchange", exchange.name());
			}
			else if (exchange.name().equals(topology.deadLetterExchange())) {
				add(policy, PartDeclarer.name(exchange), "dead-letter-exchange", exchange.name());
			}
		});
		topology.queues().forEach((queue) -> {
			String name = queue.name();
			if (queue.role() == QueueRole.RETRY && name.startsWith(topology.queue() + ".retry.")) {
				add(policy, PartDeclarer.name(queue), "retry-prefix", topology.queue() + ".retry");
			}
			else if (name.equals(topology.deadLetterQueue())) {
				add(policy, PartDeclarer.name(queue), "dead-letter-queue", name);
			}
			else if (name.equals(topology.parkingLot())) {
				add(policy, PartDeclarer.name(queue), "parking-lot", name);
			}
			else if (name.equals(topology.quarantine())) {
				add(policy, PartDeclarer.name(queue), "quarantine", name);
			}
		});
	}

	/** In YAML as in properties files. */
	private void add(MessagePolicy policy, String what, String key, String name) {
		this.lines.put(what,
				"rabbit-retry.message-policies.%s.names.%s: %s.v2".formatted(policy.messageType(), key, name));
	}

	List<String> of(List<TopologyProblem> problems) {
		return problems.stream()
			.filter(TopologyProblem::differs)
			.map((problem) -> this.lines.get(problem.what()))
			.filter(Objects::nonNull)
			.distinct()
			.toList();
	}

}
