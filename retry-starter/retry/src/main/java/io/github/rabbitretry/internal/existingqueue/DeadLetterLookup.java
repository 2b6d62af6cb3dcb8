/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.existingqueue;

import java.util.LinkedHashMap;
import java.util.List;

import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicies;
import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicy;
import io.github.rabbitretry.internal.brokerpolicy.ManagementApi;
import io.github.rabbitretry.internal.brokerpolicy.QueueDescription;
import io.github.rabbitretry.internal.connection.ClientConnection;
import io.github.rabbitretry.internal.management.ManagementAccess;
import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.management.ManagementLocator;
import io.github.rabbitretry.internal.management.ManagementUnavailableException;
import io.github.rabbitretry.internal.topology.MessageTopology;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Looks where existing work queues send their dead letters to. The management API knows
 * all of it; without it, only the arguments of a queue can be found out.
 */
final class DeadLetterLookup {

	private static final String ARGUMENT = "its argument x-dead-letter-exchange";

	private final ConnectionFactory connectionFactory;

	private final ManagementLocator locator;

	DeadLetterLookup(ConnectionFactory connectionFactory, ManagementAccess access) {
		this.connectionFactory = connectionFactory;
		this.locator = new ManagementLocator(connectionFactory, access);
	}

	/**
	 * Looks by the management API.
	 * @param topologies those of existing queues
	 * @return one finding for each
	 * @throws ManagementUnavailableException if it is not available
	 */
	List<DeadLetterFinding> look(List<MessageTopology> topologies) {
		ManagementClient client = this.locator.locate();
		ManagementApi management = new ManagementApi(client);
		BrokerPolicies policies = management.policies();
		return topologies.stream()
			.map((topology) -> management.findQueue(topology.queue())
				.map((queue) -> finding(topology, queue, policies, management, client.virtualHost()))
				.orElseGet(() -> DeadLetterFinding.of(topology, DeadLetterFinding.Kind.MISSING,
						"Existing queue '%s' does not exist any more".formatted(topology.queue()))))
			.toList();
	}

	private static DeadLetterFinding finding(MessageTopology topology, QueueDescription queue, BrokerPolicies policies,
			ManagementApi management, String virtualHost) {
		DeadLetterSource source = source(queue, policies.ofQueue(topology.queue(), queue.queueType()));
		String key = routingKey(topology, queue, policies);
		String command = DeadLetterAdvice.command(topology, queue.queueType(), policies, virtualHost);
		DeadLetterFinding.Kind kind = DeadLetterFinding.Kind.NONE;
		String text;
		if (source.isNone()) {
			text = DeadLetterAdvice.none(topology, command);
		}
		else if (source.exchange().isEmpty() && topology.queue().equals(key)) {
			text = DeadLetterAdvice.toItself(topology, source);
		}
		else if (!source.exchange().equals(topology.deadLetterExchange())) {
			boolean there = source.exchange().isEmpty() || management.hasExchange(source.exchange());
			kind = there ? DeadLetterFinding.Kind.ELSEWHERE : DeadLetterFinding.Kind.NONE;
			text = there ? DeadLetterAdvice.elsewhere(topology, source) : DeadLetterAdvice.nowhere(topology, source);
		}
		else if (!topology.deadLetterQueue().equals(key)) {
			text = DeadLetterAdvice.wrongKey(topology, key, command);
		}
		else {
			kind = DeadLetterFinding.Kind.OURS;
			text = "";
		}
		return new DeadLetterFinding(topology.queue(), kind, text, queue.lasting());
	}

	private static DeadLetterSource source(QueueDescription queue, List<BrokerPolicy> policies) {
		Object argument = queue.arguments().get("x-dead-letter-exchange");
		if (argument != null) {
			return new DeadLetterSource(argument.toString(), ARGUMENT);
		}
		return policies.stream()
			.filter((policy) -> policy.definition().containsKey("dead-letter-exchange"))
			.map((policy) -> new DeadLetterSource(String.valueOf(policy.definition().get("dead-letter-exchange")),
					policy.description()))
			.findFirst()
			.orElse(DeadLetterSource.NONE);
	}

	/** Without one, messages keep the key that they were published with. */
	private static @Nullable String routingKey(MessageTopology topology, QueueDescription queue,
			BrokerPolicies policies) {
		Object argument = queue.arguments().get("x-dead-letter-routing-key");
		Object key = (argument != null) ? argument
				: policies.ofQueue(topology.queue(), queue.queueType(), "dead-letter-routing-key");
		return (key != null) ? key.toString() : null;
	}

	/**
	 * What to say if the management API is not available.
	 * @param topology that of an existing queue
	 * @param reason why it is not
	 * @return that nothing is known
	 */
	DeadLetterFinding unknown(MessageTopology topology, String reason) {
		String command = DeadLetterAdvice.command(topology, ClientConnection.virtualHost(this.connectionFactory), 0,
				(name) -> false, new LinkedHashMap<>());
		return DeadLetterFinding.of(topology, DeadLetterFinding.Kind.UNKNOWN,
				"Whether existing queue '%s' has a dead-letter exchange is not known (%s). If it has none, %s"
					.formatted(topology.queue(), reason, DeadLetterAdvice.lost(command + DeadLetterAdvice.ONLY_ONE)));
	}

}
