/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.existingqueue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicies;
import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicy;
import io.github.rabbitretry.internal.management.NamePattern;
import io.github.rabbitretry.internal.management.Rabbitmqctl;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueType;
import org.jspecify.annotations.Nullable;

/**
 * What to say about an existing queue whose dead letters don't lead to the policy's
 * dead-letter queue.
 */
public final class DeadLetterAdvice {

	static final String ONLY_ONE = "%nOnly one policy is in effect for a queue: if it has one, add that one's keys, and give this one a higher priority."
		.formatted();

	private DeadLetterAdvice() {
	}

	static String none(MessageTopology topology, String command) {
		return "Existing queue '%s' has no dead-letter exchange. M%s".formatted(topology.queue(),
				lost(command).substring(1));
	}

	static String lost(String command) {
		return ("messages that RabbitMQ drops are lost, as before: expired ones, the oldest ones over a length limit, those over a quorum queue's delivery limit, and rejected ones. "
				+ "What your listeners fail with is retried and parked all the same. To have those messages parked too:%n    %s")
			.formatted(command);
	}

	static String elsewhere(MessageTopology topology, Source source) {
		return "Existing queue '%s' sends its dead letters to exchange '%s' (by %s), not to '%s': they are parked only if that exchange leads to queue '%s'"
			.formatted(topology.queue(), source.exchange(), source.origin(), topology.deadLetterExchange(),
					topology.deadLetterQueue());
	}

	static String nowhere(MessageTopology topology, Source source) {
		return "Existing queue '%s' sends its dead letters to exchange '%s' (by %s), which does not exist: they are lost. Declare the exchange, or change that to '%s' with routing key '%s'"
			.formatted(topology.queue(), source.exchange(), source.origin(), topology.deadLetterExchange(),
					topology.deadLetterQueue());
	}

	static String toItself(MessageTopology topology, Source source) {
		return "Existing queue '%s' sends its dead letters back to itself (by %s): rejected ones come back at once, again and again, and expired ones are lost. Change that to exchange '%s' with routing key '%s'"
			.formatted(topology.queue(), source.origin(), topology.deadLetterExchange(), topology.deadLetterQueue());
	}

	static String wrongKey(MessageTopology topology, @Nullable Object routingKey, String command) {
		return ("Existing queue '%s' sends its dead letters to '%s' with %s: they are not parked, and are lost unless another queue is bound with that key. To be parked, they need the dead-letter routing key '%s'. If no argument of the queue sets it, this does:%n    %s")
			.formatted(
					topology.queue(), topology.deadLetterExchange(), (routingKey != null)
							? "routing key '%s'".formatted(routingKey) : "the key that they were published with",
					topology.deadLetterQueue(), command);
	}

	/**
	 * The command that gives an existing queue the policy's dead-letter exchange.
	 * @param topology the queue's topology
	 * @param type the queue's type
	 * @param policies the virtual host's policies
	 * @param virtualHost its name
	 * @return a line for a shell, which keeps the keys of the policy in effect
	 */
	public static String command(MessageTopology topology, QueueType type, BrokerPolicies policies,
			String virtualHost) {
		Optional<BrokerPolicy> displaced = policies.ofQueue(topology.queue(), type)
			.stream()
			.filter((policy) -> !policy.operator())
			.findFirst();
		Map<String, Object> definition = new LinkedHashMap<>();
		displaced.ifPresent((policy) -> definition.putAll(policy.definition()));
		definition.put("dead-letter-exchange", topology.deadLetterExchange());
		definition.put("dead-letter-routing-key", topology.deadLetterQueue());
		String name = policies.freeName("rabbit-retry-dlx-" + topology.queue(), List.of());
		return Rabbitmqctl.setPolicy(false, virtualHost, displaced.map((policy) -> policy.priority() + 1).orElse(0L),
				"queues", name, NamePattern.of(List.of(topology.queue())), definition);
	}

	/**
	 * What sets a queue's dead-letter exchange.
	 *
	 * @param exchange the exchange, empty for the default exchange
	 * @param origin what sets it, in words
	 */
	record Source(String exchange, String origin) {
	}

}
