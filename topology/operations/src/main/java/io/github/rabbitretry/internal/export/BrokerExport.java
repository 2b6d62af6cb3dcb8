/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.export;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.internal.brokerpolicy.RequiredPolicy;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.TopologyParts;
import io.github.rabbitretry.internal.topology.TypeTopology;

/**
 * What message policies need of the broker: as definitions, which RabbitMQ imports, and
 * as commands. The broker is not asked.
 */
public final class BrokerExport {

	/** The line before commands that need the exchanges. */
	public static final String AFTER_DECLARATION = "# once the exchanges are declared or imported: which queues messages on the ladder may be for";

	private final Collection<TypeTopology> policies;

	private final ExportOptions options;

	/**
	 * Creates the export.
	 * @param policies the message policies
	 * @param options what it is made for
	 */
	public BrokerExport(Collection<TypeTopology> policies, ExportOptions options) {
		this.policies = List.copyOf(policies);
		this.options = options;
	}

	/**
	 * Exchanges, queues and bindings; and the policies, where queues are declared with
	 * minimal arguments.
	 * @param withPolicies whether policies are wanted anyway
	 * @return what becomes JSON
	 */
	public Map<String, Object> definitions(boolean withPolicies) {
		Map<String, Object> definitions = Definitions.of(TopologyParts.of(topologies()), this.options.virtualHost());
		boolean minimal = TopologyParts.of(topologies()).queues().stream().anyMatch(QueueDefinition::minimal);
		if (withPolicies || minimal) {
			definitions.put("policies",
					requiredPolicies().stream()
						.map((policy) -> policy.asDefinition(this.options.virtualHost(), RequiredPolicy.PRIORITY))
						.toList());
		}
		return definitions;
	}

	/**
	 * The commands that set policies, which give queues what their arguments would.
	 * @param priority their priority
	 * @return lines for a shell
	 */
	public List<String> policyCommands(long priority) {
		return requiredPolicies().stream()
			.map((policy) -> policy.command(this.options.virtualHost(), priority))
			.toList();
	}

	/**
	 * The commands that make users with the least permissions of roles.
	 * @param roles the roles
	 * @return lines for a shell
	 */
	public List<String> permissionCommands(Collection<Role> roles) {
		RolePermissions least = new RolePermissions(this.policies, this.options);
		List<String> commands = new ArrayList<>();
		List<String> topics = new ArrayList<>();
		for (Role role : roles) {
			commands.addAll(least.of(role).commands(this.options.virtualHost()));
			topics.addAll(least.of(role).topicCommands(this.options.virtualHost()));
		}
		if (!topics.isEmpty()) {
			commands.add(AFTER_DECLARATION);
			commands.addAll(topics);
		}
		return commands;
	}

	private List<RequiredPolicy> requiredPolicies() {
		return RequiredPolicy.allOf(topologies());
	}

	private List<MessageTopology> topologies() {
		return this.policies.stream().map(TypeTopology::topology).toList();
	}

}
