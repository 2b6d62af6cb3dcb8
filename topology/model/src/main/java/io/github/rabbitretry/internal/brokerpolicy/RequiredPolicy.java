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
import io.github.rabbitretry.internal.management.Rabbitmqctl;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.QueueType;

/**
 * A policy that gives queues what the arguments of their declaration would. Only one user
 * policy is in effect for a queue, so each has all keys; queues of a message type that
 * need the same share one. The ladder's queues need none: they are declared with all
 * arguments by every service.
 *
 * @param name its name
 * @param queues the queues that it is for
 * @param applyTo the kind of queues, as the broker calls it
 * @param definition its keys and their values
 */
public record RequiredPolicy(String name, List<String> queues, String applyTo, Map<String, Object> definition) {

	/** Above what people give a policy for all queues. */
	public static final long PRIORITY = 10;

	private static final String PREFIX = "rabbit-retry-";

	public RequiredPolicy {
		queues = List.copyOf(queues);
	}

	/**
	 * Makes the policies of message types.
	 * @param topologies the message types
	 * @return their policies, in the order of the queues
	 */
	public static List<RequiredPolicy> allOf(Collection<MessageTopology> topologies) {
		return topologies.stream().flatMap((topology) -> allOf(topology).stream()).toList();
	}

	private static List<RequiredPolicy> allOf(MessageTopology topology) {
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

	/**
	 * The command that sets it.
	 * @param virtualHost the virtual host
	 * @param priority of several policies that match a queue, the one with the highest is
	 * in effect
	 * @return a line for a shell
	 */
	public String command(String virtualHost, long priority) {
		return Rabbitmqctl.setPolicy(false, virtualHost, priority, this.applyTo, this.name, NamePattern.of(this.queues),
				this.definition);
	}

	/**
	 * The policy as RabbitMQ's definitions have it.
	 * @param virtualHost the virtual host
	 * @param priority of several policies that match a queue, the one with the highest is
	 * in effect
	 * @return what becomes JSON
	 */
	public Map<String, Object> asDefinition(String virtualHost, long priority) {
		Map<String, Object> policy = new LinkedHashMap<>();
		policy.put("vhost", virtualHost);
		policy.put("name", this.name);
		policy.put("pattern", NamePattern.of(this.queues));
		policy.put("apply-to", this.applyTo);
		policy.put("priority", priority);
		policy.put("definition", this.definition);
		return policy;
	}

}
