/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.QueueRole;
import io.github.rabbitretry.internal.topology.TopologyParts;

/**
 * What policies have to give queues that are declared with minimal arguments. Whether the
 * values are safe is judged like those of all other policies.
 */
final class BrokerPolicyRequirements {

	private final List<QueueDefinition> queues;

	private final List<RequiredPolicy> policies;

	BrokerPolicyRequirements(Collection<MessageTopology> topologies) {
		this.queues = TopologyParts.of(topologies).queues().stream().filter(QueueDefinition::minimal).toList();
		this.policies = RequiredPolicy.allOf(topologies);
	}

	List<QueueDefinition> queues() {
		return this.queues;
	}

	/**
	 * Looks for what nothing gives.
	 * @param all the virtual host's policies
	 * @return the keys, in the order of the queues
	 */
	List<MissingKey> missing(BrokerPolicies all) {
		return this.queues.stream().flatMap((queue) -> {
			Set<String> missing = new TreeSet<>(queue.policyDefinition().keySet());
			List<BrokerPolicy> inEffect = all.ofQueue(queue.name(), queue.type());
			if (all.perhapsInstead(queue.name(), queue.type()).isEmpty()) {
				missing.removeAll(given(inEffect, false));
			}
			missing.removeAll(given(inEffect, true));
			return missing.stream().map((key) -> new MissingKey(queue, key));
		}).toList();
	}

	/** Of several with the same priority any can be in effect. */
	private static Set<String> given(List<BrokerPolicy> inEffect, boolean operator) {
		return inEffect.stream()
			.filter((policy) -> policy.operator() == operator)
			.map((policy) -> policy.definition().keySet())
			.reduce((some, others) -> some.stream().filter(others::contains).collect(Collectors.toSet()))
			.orElse(Set.of());
	}

	/**
	 * Whether a user policy is to give a queue its keys, so that displacing one needs
	 * them too.
	 * @param queue the queue's name
	 * @return whether it has minimal arguments
	 */
	boolean on(String queue) {
		return this.queues.stream().anyMatch((minimal) -> minimal.name().equals(queue));
	}

	/**
	 * Whether messages wait in a queue for as long, and leave it for where, policies say.
	 * @param queue the queue's name
	 * @return whether it is a retry queue with minimal arguments
	 */
	boolean isRetryQueue(String queue) {
		return this.queues.stream()
			.anyMatch((minimal) -> minimal.role() == QueueRole.RETRY && minimal.name().equals(queue));
	}

	/**
	 * The commands that give queues what they need.
	 * @param names names of queues
	 * @param all the virtual host's policies, which must not be in effect instead
	 * @param virtualHost the virtual host
	 * @return lines for a shell
	 */
	List<String> commands(Collection<String> names, BrokerPolicies all, String virtualHost) {
		return this.policies.stream()
			.filter((policy) -> policy.queues().stream().anyMatch(names::contains))
			.map((policy) -> policy.command(virtualHost, Math.max(RequiredPolicy.PRIORITY, above(policy, all))))
			.toList();
	}

	private long above(RequiredPolicy required, BrokerPolicies all) {
		return required.queues()
			.stream()
			.flatMap((name) -> this.queues.stream().filter((queue) -> queue.name().equals(name)))
			.flatMap((queue) -> Stream.concat(all.ofQueue(queue.name(), queue.type()).stream(),
					all.perhapsInstead(queue.name(), queue.type()).stream()))
			.filter((policy) -> !policy.operator() && !policy.name().equals(required.name()))
			.mapToLong((policy) -> policy.priority() + 1)
			.max()
			.orElse(0);
	}

}
