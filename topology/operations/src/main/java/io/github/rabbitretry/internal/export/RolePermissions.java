/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.export;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.github.rabbitretry.internal.permission.NeededPermissions;
import io.github.rabbitretry.internal.permission.PermissionPattern;
import io.github.rabbitretry.internal.topology.BindingDefinition;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.ExchangeDefinition;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.TopologyParts;
import io.github.rabbitretry.internal.topology.TypeTopology;

/**
 * The least that each role needs.
 *
 * @param policies the message policies
 * @param options what for
 */
record RolePermissions(List<TypeTopology> policies, ExportOptions options) {

	/**
	 * The permissions of a role.
	 * @param role the role
	 * @return the permissions
	 * @throws InvalidConfigurationException if there are too many names for RabbitMQ
	 */
	Permissions of(Role role) {
		return switch (role) {
			case TOPOLOGY -> permissions(role,
					NeededPermissions.of(NeededPermissions.declaring(this.policies),
							NeededPermissions.working(this.policies, true, this.options.ledger()),
							declaring(this.options), NeededPermissions.using(existing(), List.of())),
					Map.of());
			case WORKER -> permissions(role,
					NeededPermissions.of(NeededPermissions.working(this.policies, true, this.options.ledger()),
							NeededPermissions.seeing(this.policies),
							NeededPermissions.using(this.options.writes(), this.options.reads())),
					ladderTopics());
			case OPERATOR -> permissions(role, NeededPermissions.operating(this.policies), Map.of());
			case MONITOR -> permissions(role, NeededPermissions.of(), Map.of());
		};
	}

	private static NeededPermissions declaring(ExportOptions options) {
		Set<String> names = new LinkedHashSet<>(options.writes());
		names.addAll(options.reads());
		return new NeededPermissions(names, names, names);
	}

	/** They have to exist, which only users with some permission can see. */
	private List<String> existing() {
		return this.policies.stream()
			.map(TypeTopology::topology)
			.filter(MessageTopology::hasExistingQueue)
			.map(MessageTopology::queue)
			.toList();
	}

	private Permissions permissions(Role role, NeededPermissions needed, Map<String, String> topics) {
		return new Permissions(role, role.user(this.options.application()),
				pattern(role, "configure", needed.configure()), pattern(role, "write", needed.write()),
				pattern(role, "read", needed.read()), topics);
	}

	private String pattern(Role role, String permission, Collection<String> names) {
		return bounded(role, permission, PermissionPattern.of(names, this.policies));
	}

	private String bounded(Role role, String permission, String pattern) {
		if (!PermissionPattern.fits(pattern)) {
			throw new InvalidConfigurationException("rabbit-retry.message-policies",
					"%s message types".formatted(this.policies.size()),
					"need a pattern of %s bytes for the permission '%s' of role '%s', and RabbitMQ takes %s".formatted(
							pattern.length(), permission, role.name().toLowerCase(Locale.ROOT),
							PermissionPattern.LONGEST),
					"Give work queues names that are shorter or share a prefix, divide the message types among services"
							+ " of a user each (--types), or give the service a virtual host of its own, where '.*' permits no more.");
		}
		return pattern;
	}

	/**
	 * Queues of the ladder have the names of exchanges, and what may be seen may be
	 * published to: but with keys that lead to queues of this application. These keys end
	 * with the name of what they lead to.
	 */
	private Map<String, String> ladderTopics() {
		Map<String, String> topics = new TreeMap<>();
		TopologyParts parts = TopologyParts.of(this.policies.stream().map(TypeTopology::topology).toList());
		List<String> ends = parts.bindings()
			.stream()
			.filter((binding) -> binding.exchange().equals(DelayLadder.EXIT))
			.map(BindingDefinition::routingKey)
			.map(DelayLadder::end)
			.toList();
		if (!ends.isEmpty()) {
			String keys = bounded(Role.WORKER, "write",
					DelayLadder.STEPS_PATTERN + PermissionPattern.of(ends, this.policies).substring(1));
			parts.exchanges()
				.stream()
				.filter((exchange) -> exchange.type().equals("topic") && DelayLadder.hasExchange(exchange.name()))
				.map(ExchangeDefinition::name)
				.filter((name) -> !name.equals(DelayLadder.EXIT))
				.forEach((name) -> topics.put(name, keys));
		}
		return topics;
	}

}
