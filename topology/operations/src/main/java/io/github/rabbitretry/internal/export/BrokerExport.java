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
	 * Exchanges, queues and bindings.
	 * @return what becomes JSON
	 */
	public Map<String, Object> definitions() {
		return Definitions.of(TopologyParts.of(this.policies.stream().map(TypeTopology::topology).toList()),
				this.options.virtualHost());
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

}
