/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.ExchangeDefinition;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.TopologyParts;

/**
 * Finds out what policies do to the queues and exchanges of message policies.
 */
final class BrokerPolicyEvaluation {

	private final List<QueueDefinition> queues;

	private final Set<String> exchanges = new LinkedHashSet<>();

	private final Map<String, Duration> holds = new HashMap<>();

	BrokerPolicyEvaluation(Collection<MessageTopology> topologies) {
		TopologyParts parts = TopologyParts.of(topologies);
		// the policies of an existing queue are its owner's
		this.queues = Stream
			.concat(parts.queues().stream().filter((queue) -> !queue.existing()),
					topologies.stream().map(MessageTopology::lastQueue))
			.distinct()
			.toList();
		Set<String> names = parts.exchanges().stream().map(ExchangeDefinition::name).collect(Collectors.toSet());
		for (MessageTopology topology : topologies) {
			if (topology.longestHold() != null) {
				this.holds.put(topology.queue(), topology.longestHold());
				this.holds.put(topology.quarantine(), topology.longestHold());
			}
			Stream.of(topology.ringExchange(), topology.deadLetterExchange())
				.filter(names::contains)
				.forEach(this.exchanges::add);
		}
		// an exchange's own argument beats a policy
		parts.exchanges()
			.stream()
			.filter((exchange) -> DelayLadder.hasExchange(exchange.name()) && exchange.arguments().isEmpty())
			.forEach((exchange) -> this.exchanges.add(exchange.name()));
	}

	/**
	 * Judges all policies in effect.
	 * @param policies the virtual host's policies
	 * @return what is worth knowing, in the order of the queues
	 */
	List<BrokerPolicyFinding> run(BrokerPolicies policies) {
		List<BrokerPolicyFinding> findings = new ArrayList<>();
		this.queues.forEach((queue) -> {
			List<BrokerPolicy> inEffect = policies.ofQueue(queue.name(), queue.type());
			boolean overridden = inEffect.stream().anyMatch(BrokerPolicyEvaluation::isOperatorsOverflow);
			inEffect.forEach((policy) -> findings
				.addAll(QueuePolicyEvaluator.examine(queue, this.holds.getOrDefault(queue.name(), Duration.ZERO),
						policy, overridden && !isOperatorsOverflow(policy))));
		});
		this.exchanges.forEach((exchange) -> policies.ofExchange(exchange)
			.forEach((policy) -> findings.addAll(exchange(exchange, policy))));
		return findings;
	}

	private static boolean isOperatorsOverflow(BrokerPolicy policy) {
		return policy.operator() && policy.definition().containsKey("overflow");
	}

	private static List<BrokerPolicyFinding> exchange(String exchange, BrokerPolicy policy) {
		String key = "alternate-exchange";
		Object alternate = policy.definition().get(key);
		return (alternate == null) ? List.of()
				: List.of(new BrokerPolicyFinding(false, exchange, policy, key, alternate,
						"a copy that no queue of ours takes counts as handed over, and its original is acknowledged",
						true));
	}

}
