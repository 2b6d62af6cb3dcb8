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
 */
public final class ExpectedTopology {

	private final ApplicationTopology application;

	private final List<TypeTopology> types;

	private final @Nullable String username;

	private final boolean ofServices;

	private final TopologyParts parts;

	private final Map<String, QueueDefinition> queues = new LinkedHashMap<>();

	private final Map<String, ExchangeDefinition> exchanges = new LinkedHashMap<>();

	private final Set<BindingDefinition> bindings;

	/**
	 * Creates it.
	 * @param application what the application needs
	 * @param username the user that the application connects as, or {@code null} if it is
	 * not known
	 */
	public ExpectedTopology(ApplicationTopology application, @Nullable String username) {
		this(application, username, false);
	}

	private ExpectedTopology(ApplicationTopology application, @Nullable String username, boolean ofServices) {
		this.application = application;
		this.ofServices = ofServices;
		this.types = application.types();
		this.username = username;
		this.parts = TopologyParts.of(topologies());
		this.parts.queues().forEach((queue) -> this.queues.put(queue.name(), queue));
		this.parts.exchanges().forEach((exchange) -> this.exchanges.put(exchange.name(), exchange));
		this.bindings = new LinkedHashSet<>(this.parts.bindings());
	}

	/**
	 * Creates it for an application that operates what services need: these connect as
	 * users of their own, whose permissions are examined where they run.
	 * @param application what the services need
	 * @return what the services expect
	 */
	public static ExpectedTopology ofServices(ApplicationTopology application) {
		return new ExpectedTopology(application, null, true);
	}

	/** Whether the application that asks does what the topology needs permissions for. */
	public boolean needsPermissions() {
		return !this.ofServices;
	}

	public ApplicationTopology application() {
		return this.application;
	}

	public List<TypeTopology> types() {
		return this.types;
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

	public @Nullable String username() {
		return this.username;
	}

	public TopologyParts parts() {
		return this.parts;
	}

	public Map<String, QueueDefinition> queues() {
		return this.queues;
	}

	public Map<String, ExchangeDefinition> exchanges() {
		return this.exchanges;
	}

	public Set<BindingDefinition> bindings() {
		return this.bindings;
	}

	/** Those of existing work queues. */
	public Map<String, MessageTopology> existing() {
		return topologies().stream()
			.filter(MessageTopology::hasExistingQueue)
			.collect(Collectors.toMap(MessageTopology::queue, Function.identity(), (one, other) -> one,
					LinkedHashMap::new));
	}

}
