/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.multiconnection;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.rabbitretry.internal.container.ManagedContainers;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Which connection factory leads to a policy's broker and virtual host: its listener's
 * own, or the primary one where no listener is here.
 */
public final class PolicyConnections {

	private final MessagePolicies policies;

	private final ManagedContainers containers;

	private final Collection<String> names;

	private final @Nullable ConnectionFactory primary;

	/**
	 * Creates the connections.
	 * @param policies the message policies
	 * @param containers whose connection factories count
	 * @param names the names of all connection factories
	 * @param primary the primary connection factory, if there is one
	 */
	public PolicyConnections(MessagePolicies policies, ManagedContainers containers, Collection<String> names,
			@Nullable ConnectionFactory primary) {
		this.policies = policies;
		this.containers = containers;
		this.names = names;
		this.primary = primary;
	}

	/**
	 * To be asked once all containers are there.
	 * @return the policies by their connection factory; those of a queue that is listened
	 * to through several are in each
	 */
	public Map<ConnectionFactory, MessagePolicies> groups() {
		Map<ConnectionFactory, List<MessagePolicy>> groups = new LinkedHashMap<>();
		for (MessagePolicy policy : this.policies.all()) {
			of(policy).forEach((factory) -> groups.computeIfAbsent(factory, (any) -> new ArrayList<>()).add(policy));
		}
		Map<ConnectionFactory, MessagePolicies> result = new LinkedHashMap<>();
		groups.forEach((factory, group) -> result.put(factory, new MessagePolicies(group)));
		return result;
	}

	private Set<ConnectionFactory> of(MessagePolicy policy) {
		Set<ConnectionFactory> own = this.containers.connectionFactories(policy);
		if (!own.isEmpty()) {
			return own;
		}
		if (this.primary == null) {
			throw new InvalidConfigurationException("rabbit-retry.message-policies.%s".formatted(policy.messageType()),
					policy.queue(),
					"has no listener here, so that its connection factory is not known: %s"
						.formatted(String.join(", ", this.names)),
					"Annotate one of them with @Primary, or remove the policy from this application.");
		}
		return Set.of(this.primary);
	}

}
