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
		add(policy, "exchange", topology.ringExchange(), "ring-exchange", topology.ringExchange());
		add(policy, "exchange", topology.deadLetterExchange(), "dead-letter-exchange", topology.deadLetterExchange());
		add(policy, "queue", topology.deadLetterQueue(), "dead-letter-queue", topology.deadLetterQueue());
		add(policy, "queue", topology.parkingLot(), "parking-lot", topology.parkingLot());
		add(policy, "queue", topology.quarantine(), "quarantine", topology.quarantine());
		String prefix = topology.queue() + ".retry";
		topology.queues()
			.stream()
			.filter((queue) -> queue.role() == QueueRole.RETRY && queue.name().startsWith(prefix + "."))
			.forEach((queue) -> add(policy, "queue", queue.name(), "retry-prefix", prefix));
	}

	/** In YAML as in properties files. */
	private void add(MessagePolicy policy, String kind, String part, String key, String name) {
		this.lines.put("%s '%s'".formatted(kind, part),
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
