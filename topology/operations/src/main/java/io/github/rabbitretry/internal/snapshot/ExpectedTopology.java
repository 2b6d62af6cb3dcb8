/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.snapshot;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.permission.NeededPermissions;
import io.github.rabbitretry.internal.topology.ApplicationTopology;
import io.github.rabbitretry.internal.topology.BindingDefinition;
import io.github.rabbitretry.internal.topology.ExchangeDefinition;
import io.github.rabbitretry.internal.topology.FormerQueue;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.TopologyParts;
import io.github.rabbitretry.internal.topology.TypeTopology;
import org.jspecify.annotations.Nullable;

/**
 * What message policies expect of a virtual host, as they are at the moment.
 *
 * @param application what the application needs
 * @param types the topology of each message type
 * @param username the user that the application connects as, or {@code null} if it is not
 * known
 * @param needsPermissions whether the application that asks does what the topology needs
 * permissions for
 * @param parts what has to be there
 * @param queues its queues by name
 * @param exchanges its exchanges by name
 * @param bindings its bindings
 */
public record ExpectedTopology(ApplicationTopology application, List<TypeTopology> types, @Nullable String username,
		boolean needsPermissions, TopologyParts parts, Map<String, QueueDefinition> queues,
		Map<String, ExchangeDefinition> exchanges, Set<BindingDefinition> bindings) {

	/**
	 * What an application expects.
	 * @param application what the application needs
	 * @param username the user that the application connects as, or {@code null} if it is
	 * not known
	 * @return what it expects
	 */
	public static ExpectedTopology of(ApplicationTopology application, @Nullable String username) {
		return of(application, username, true);
	}

	/**
	 * Creates it for an application that operates what services need: these connect as
	 * users of their own, whose permissions are examined where they run.
	 * @param application what the services need
	 * @return what the services expect
	 */
	public static ExpectedTopology ofServices(ApplicationTopology application) {
		return of(application, null, false);
	}

	private static ExpectedTopology of(ApplicationTopology application, @Nullable String username,
			boolean needsPermissions) {
		List<TypeTopology> types = application.types();
		TopologyParts parts = TopologyParts.of(ApplicationTopology.topologies(types));
		Map<String, QueueDefinition> queues = new LinkedHashMap<>();
		parts.queues().forEach((queue) -> queues.put(queue.name(), queue));
		Map<String, ExchangeDefinition> exchanges = new LinkedHashMap<>();
		parts.exchanges().forEach((exchange) -> exchanges.put(exchange.name(), exchange));
		return new ExpectedTopology(application, types, username, needsPermissions, parts, queues, exchanges,
				new LinkedHashSet<>(parts.bindings()));
	}

	public List<MessageTopology> topologies() {
		return ApplicationTopology.topologies(types());
	}

	/** Former work queues, with the message type of each. */
	public Map<FormerQueue, TypeTopology> former() {
		Map<FormerQueue, TypeTopology> former = new LinkedHashMap<>();
		this.types.forEach((type) -> type.topology()
			.formerQueues()
			.stream()
			.filter((queue) -> !this.queues.containsKey(queue.queue()))
			.forEach((queue) -> former.put(queue, type)));
		return former;
	}

	/** Of the application's user. */
	public NeededPermissions permissions() {
		NeededPermissions working = NeededPermissions.working(types(), this.application.deadLettersConsumed(),
				this.application.parkingLotsConsumed());
		return this.application.declared() ? NeededPermissions.of(working, NeededPermissions.declaring(types()))
				: working;
	}

	/** Those of existing work queues. */
	public Map<String, MessageTopology> existing() {
		return topologies().stream()
			.filter(MessageTopology::hasExistingQueue)
			.collect(Collectors.toMap(MessageTopology::queue, Function.identity(), (one, other) -> one,
					LinkedHashMap::new));
	}

}
