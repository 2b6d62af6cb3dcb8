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
import java.util.Objects;
import java.util.Set;

import io.github.rabbitretry.internal.configuration.ConfigurationWarning;
import io.github.rabbitretry.internal.container.ManagedContainers;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Which connection factory leads to a policy's broker and virtual host: its listener's
 * own, or the primary one where no listener is here.
 */
public final class PolicyConnections implements SmartInitializingSingleton {

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
		if (!several() && this.primary != null && !this.policies.all().isEmpty()) {
			// a container with ordering has a proxy of it
			return Map.of(this.primary, this.policies);
		}
		Map<ConnectionFactory, List<MessagePolicy>> groups = new LinkedHashMap<>();
		for (MessagePolicy policy : this.policies.all()) {
			of(policy).forEach((factory) -> groups.computeIfAbsent(factory, (any) -> new ArrayList<>()).add(policy));
		}
		Map<ConnectionFactory, MessagePolicies> result = new LinkedHashMap<>();
		groups.forEach((factory, group) -> result.put(factory, new MessagePolicies(group)));
		return result;
	}

	/**
	 * Whether no one broker has the whole topology, as far as known from the beginning.
	 * @return {@code true} if there are several connection factories
	 */
	public boolean several() {
		return this.names.size() > 1;
	}

	/**
	 * Warns of policies whose parking lots are where the ledger and replays don't look,
	 * which use the primary connection factory only.
	 */
	@Override
	public void afterSingletonsInstantiated() {
		ConnectionFactory reached = this.primary;
		if (reached == null) {
			// there is neither a ledger nor a window then
			return;
		}
		groups().forEach((factory, policies) -> {
			if (!leadsToSame(factory, reached)) {
				policies.all().forEach(PolicyConnections::warn);
			}
		});
	}

	private static boolean leadsToSame(ConnectionFactory factory, ConnectionFactory other) {
		return factory == other
				|| Objects.equals(factory.getHost(), other.getHost()) && factory.getPort() == other.getPort()
						&& Objects.equals(factory.getVirtualHost(), other.getVirtualHost());
	}

	private static void warn(MessagePolicy policy) {
		ConfigurationWarning.log("rabbit-retry.message-policies.%s".formatted(policy.messageType()), policy.queue(),
				"is listened to at another broker or virtual host than the primary connection factory leads to: what is parked of it stays in '%s' there, and the ledger, replays, the window and depths don't reach it"
					.formatted(policy.topology().parkingLot()),
				"Run its listener in an application whose primary connection factory leads there, if its parked messages are to be searched and replayed.");
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
