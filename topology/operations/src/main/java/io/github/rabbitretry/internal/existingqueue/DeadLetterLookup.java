/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.existingqueue;

import java.util.List;

import io.github.rabbitretry.internal.broker.BrokerAccess;
import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicies;
import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicy;
import io.github.rabbitretry.internal.brokerpolicy.ManagementApi;
import io.github.rabbitretry.internal.brokerpolicy.QueueDescription;
import io.github.rabbitretry.internal.existingqueue.DeadLetterAdvice.Source;
import io.github.rabbitretry.internal.existingqueue.DeadLetterFinding.Kind;
import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.management.ManagementSettings;
import io.github.rabbitretry.internal.topology.MessageTopology;
import org.jspecify.annotations.Nullable;

/**
 * One look by the management API at where existing work queues send their dead letters
 * to.
 */
final class DeadLetterLookup {

	private final String virtualHost;

	private final ManagementApi management;

	private final BrokerPolicies policies;

	DeadLetterLookup(BrokerAccess broker) {
		ManagementClient client = new ManagementClient(ManagementSettings.of(broker));
		this.virtualHost = client.virtualHost();
		this.management = new ManagementApi(client);
		this.policies = this.management.policies();
	}

	List<DeadLetterFinding> look(List<MessageTopology> topologies) {
		return topologies.stream()
			.map((topology) -> this.management.findQueue(topology.queue())
				.map((queue) -> finding(topology, queue))
				.orElseGet(() -> new DeadLetterFinding(topology.queue(), Kind.MISSING,
						"Existing queue '%s' does not exist any more".formatted(topology.queue()), true)))
			.toList();
	}

	private DeadLetterFinding finding(MessageTopology topology, QueueDescription queue) {
		Source source = source(topology.queue(), queue);
		Object routingKey = effective("dead-letter-routing-key", topology.queue(), queue);
		String command = DeadLetterAdvice.command(topology, queue.queueType(), this.policies, this.virtualHost);
		Kind kind = Kind.NONE;
		String text;
		if (source == null) {
			text = DeadLetterAdvice.none(topology, command);
		}
		else if (source.exchange().isEmpty() && topology.queue().equals(routingKey)) {
			text = DeadLetterAdvice.toItself(topology, source);
		}
		else if (!source.exchange().equals(topology.deadLetterExchange())) {
			boolean there = source.exchange().isEmpty() || this.management.hasExchange(source.exchange());
			kind = there ? Kind.ELSEWHERE : Kind.NONE;
			text = there ? DeadLetterAdvice.elsewhere(topology, source) : DeadLetterAdvice.nowhere(topology, source);
		}
		else if (!topology.deadLetterQueue().equals(routingKey)) {
			text = DeadLetterAdvice.wrongKey(topology, routingKey, command);
		}
		else {
			kind = Kind.OURS;
			text = "";
		}
		return new DeadLetterFinding(topology.queue(), kind, text, queue.lasting());
	}

	private @Nullable Source source(String name, QueueDescription queue) {
		Object exchange = effective("dead-letter-exchange", name, queue);
		return (exchange == null) ? null : new Source(exchange.toString(),
				(queue.arguments().get("x-dead-letter-exchange") != null) ? "its argument x-dead-letter-exchange"
						: this.policies.ofQueue(name, queue.queueType())
							.stream()
							.filter((policy) -> policy.definition().containsKey("dead-letter-exchange"))
							.map(BrokerPolicy::description)
							.findFirst()
							.orElseThrow());
	}

	private @Nullable Object effective(String key, String name, QueueDescription queue) {
		return this.policies.effective(key, name, queue.queueType(), queue.arguments());
	}

	/** What to say if the management API is not available. */
	static DeadLetterFinding unknown(MessageTopology topology, String virtualHost, String reason) {
		String command = DeadLetterAdvice.command(topology, topology.queueType(), new BrokerPolicies(List.of()),
				virtualHost);
		return new DeadLetterFinding(topology.queue(), Kind.UNKNOWN,
				"Whether existing queue '%s' has a dead-letter exchange is not known (%s). If it has none, %s"
					.formatted(topology.queue(), reason, DeadLetterAdvice.lost(command + DeadLetterAdvice.ONLY_ONE)),
				true);
	}

}
