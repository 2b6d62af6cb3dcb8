/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.internal.management.NamePattern;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.QueueType;

/**
 * The policies that give the queues of message types what arguments would. Only one user
 * policy is in effect for a queue, so each has all keys; queues of a message type that
 * need the same share one. The ladder's queues need none: they are declared with all
 * arguments by every service.
 */
public final class RequiredPolicies {

	/** Above what people give a policy for all queues. */
	public static final long PRIORITY = 10;

	private static final String PREFIX = "rabbit-retry-";

	private RequiredPolicies() {
	}

	/**
	 * Makes the policies.
	 * @param topologies the message types
	 * @return their policies, in the order of the queues
	 */
	public static List<RequiredPolicy> of(Collection<MessageTopology> topologies) {
		return topologies.stream().flatMap((topology) -> of(topology).stream()).toList();
	}

	private static List<RequiredPolicy> of(MessageTopology topology) {
		Map<Map<String, Object>, List<QueueDefinition>> alike = new LinkedHashMap<>();
		topology.ownQueues()
			.stream()
			.filter((queue) -> !queue.existing())
			.forEach((queue) -> alike.computeIfAbsent(queue.policyDefinition(), (definition) -> new ArrayList<>())
				.add(queue));
		List<RequiredPolicy> policies = new ArrayList<>();
		alike.forEach((definition, queues) -> NamePattern.parts(queues.stream().map(QueueDefinition::name).toList())
			.forEach((names) -> policies
				.add(new RequiredPolicy(PREFIX + names.get(0), names, applyTo(queues.get(0)), definition))));
		return policies;
	}

	private static String applyTo(QueueDefinition queue) {
		return (queue.type() == QueueType.QUORUM) ? "quorum_queues" : "classic_queues";
	}

}
