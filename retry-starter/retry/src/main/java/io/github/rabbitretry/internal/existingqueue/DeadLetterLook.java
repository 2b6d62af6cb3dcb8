/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.existingqueue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicies;
import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicy;
import io.github.rabbitretry.internal.brokerpolicy.ManagementApi;
import io.github.rabbitretry.internal.brokerpolicy.QueueDescription;
import io.github.rabbitretry.internal.connection.ClientConnection;
import io.github.rabbitretry.internal.declaration.QueueArgumentProbe;
import io.github.rabbitretry.internal.management.ManagementAccess;
import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.management.ManagementLocator;
import io.github.rabbitretry.internal.management.ManagementUnavailableException;
import io.github.rabbitretry.internal.topology.MessageTopology;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Looks where existing work queues send their dead letters to. The management API knows
 * all of it; without it, only the arguments of a queue can be found out.
 */
final class DeadLetterLook {

	private static final String ARGUMENT = "its argument x-dead-letter-exchange";

	private final ConnectionFactory connectionFactory;

	private final ManagementLocator locator;

	DeadLetterLook(ConnectionFactory connectionFactory, ManagementAccess access) {
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
		List<BrokerPolicy> inEffect = policies.ofQueue(topology.queue(), queue.queueType());
		DeadLetterSource source = source(queue, inEffect);
		if (source.isNone()) {
			return DeadLetterFinding.of(topology, DeadLetterFinding.Kind.NONE, DeadLetterAdvice.none(topology, ". ",
					command(topology, queue, policies, virtualHost, displaced(inEffect))), queue.lasting());
		}
		if (source.exchange().isEmpty() && topology.queue().equals(routingKey(queue, inEffect))) {
			return DeadLetterFinding.of(topology, DeadLetterFinding.Kind.NONE,
					DeadLetterAdvice.toItself(topology, source), queue.lasting());
		}
		if (!source.exchange().equals(topology.deadLetterExchange())) {
			boolean there = source.exchange().isEmpty() || management.hasExchange(source.exchange());
			return DeadLetterFinding.of(topology,
					there ? DeadLetterFinding.Kind.ELSEWHERE : DeadLetterFinding.Kind.NONE,
					there ? DeadLetterAdvice.elsewhere(topology, source) : DeadLetterAdvice.nowhere(topology, source),
					queue.lasting());
		}
		if (!topology.deadLetterQueue().equals(routingKey(queue, inEffect))) {
			return DeadLetterFinding.of(topology, DeadLetterFinding.Kind.NONE, DeadLetterAdvice.wrongKey(topology,
					routingKey(queue, inEffect), command(topology, queue, policies, virtualHost, displaced(inEffect))),
					queue.lasting());
		}
		return DeadLetterFinding.of(topology, DeadLetterFinding.Kind.OURS, "", queue.lasting());
	}

	private static Optional<BrokerPolicy> displaced(List<BrokerPolicy> inEffect) {
		return inEffect.stream().filter((policy) -> !policy.operator()).findFirst();
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
	private static @Nullable String routingKey(QueueDescription queue, List<BrokerPolicy> policies) {
		Object argument = queue.arguments().get("x-dead-letter-routing-key");
		if (argument != null) {
			return argument.toString();
		}
		return policies.stream()
			.map((policy) -> policy.definition().get("dead-letter-routing-key"))
			.filter(Objects::nonNull)
			.map(String::valueOf)
			.findFirst()
			.orElse(null);
	}

	private static String command(MessageTopology topology, QueueDescription queue, BrokerPolicies policies,
			String virtualHost, Optional<BrokerPolicy> displaced) {
		Map<String, Object> definition = new LinkedHashMap<>();
		displaced.ifPresent((policy) -> definition.putAll(policy.definition()));
		long priority = displaced.map((policy) -> policy.priority() + 1).orElse(0L);
		return DeadLetterAdvice.command(topology, virtualHost, priority, policies::has, definition);
	}

	/**
	 * Looks by declarations that RabbitMQ refuses, each of which it logs as an error.
	 * @param topology that of an existing queue
	 * @param reason why the management API is not available
	 * @return what is known
	 */
	DeadLetterFinding probe(MessageTopology topology, String reason) {
		Optional<String> exchange = deadLetterExchange(topology.queue());
		if (exchange.isPresent() && exchange.get().equals(topology.deadLetterExchange())) {
			return DeadLetterFinding.of(topology, DeadLetterFinding.Kind.OURS, "");
		}
		if (exchange.isPresent() && !exchange.get().isEmpty()) {
			return DeadLetterFinding.of(topology, DeadLetterFinding.Kind.ELSEWHERE,
					DeadLetterAdvice.elsewhere(topology, new DeadLetterSource(exchange.get(), ARGUMENT)));
		}
		String unknown = exchange.isPresent()
				? " of its own. Whether a policy gives it one is not known (%s): if none does, ".formatted(reason)
				: null;
		return DeadLetterFinding.of(topology, DeadLetterFinding.Kind.UNKNOWN, unknown(topology, unknown, reason));
	}

	/** With cache mode CONNECTION, one that is not closed is a leak at each look. */
	private Optional<String> deadLetterExchange(String queue) {
		try (Connection connection = ClientConnection.open(this.connectionFactory)) {
			return new QueueArgumentProbe(ClientConnection.delegate(connection)).deadLetterExchange(queue);
		}
	}

	private String unknown(MessageTopology topology, @Nullable String unknown, String reason) {
		String command = DeadLetterAdvice.command(topology, ClientConnection.virtualHost(this.connectionFactory), 0,
				(name) -> false, new LinkedHashMap<>());
		return (unknown != null) ? DeadLetterAdvice.none(topology, unknown, command + DeadLetterAdvice.ONLY_ONE)
				: "Whether existing queue '%s' has a dead-letter exchange is not known (%s). If it has none, %s"
					.formatted(topology.queue(), reason, DeadLetterAdvice.lost(command + DeadLetterAdvice.ONLY_ONE));
	}

}
