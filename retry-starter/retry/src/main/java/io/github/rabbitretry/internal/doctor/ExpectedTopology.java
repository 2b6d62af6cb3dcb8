/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.permission.NeededPermissions;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.BindingModel;
import io.github.rabbitretry.internal.topology.ExchangeModel;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueModel;
import io.github.rabbitretry.internal.topology.TopologyParts;
import org.jspecify.annotations.Nullable;

/**
 * What message policies expect of a virtual host.
 */
public final class ExpectedTopology {

	private final MessagePolicies policies;

	private final boolean declared;

	private final boolean deadLettersConsumed;

	private final boolean parkingLotsConsumed;

	private final @Nullable String username;

	private final TopologyParts parts;

	private final Map<String, QueueModel> queues = new LinkedHashMap<>();

	private final Map<String, ExchangeModel> exchanges = new LinkedHashMap<>();

	private final Set<BindingModel> bindings;

	/**
	 * Creates it.
	 * @param policies the message policies
	 * @param declared whether the application declares all of it
	 * @param deadLettersConsumed whether an instance consumes dead-letter queues
	 * @param parkingLotsConsumed whether it has a ledger, which consumes parking lots
	 * @param username as whom the application connects, or {@code null} if that is not
	 * known
	 */
	public ExpectedTopology(MessagePolicies policies, boolean declared, boolean deadLettersConsumed,
			boolean parkingLotsConsumed, @Nullable String username) {
		this.policies = policies;
		this.declared = declared;
		this.deadLettersConsumed = deadLettersConsumed;
		this.parkingLotsConsumed = parkingLotsConsumed;
		this.username = username;
		this.parts = TopologyParts.of(topologies());
		this.parts.queues().forEach((queue) -> this.queues.put(queue.name(), queue));
		this.parts.exchanges().forEach((exchange) -> this.exchanges.put(exchange.name(), exchange));
		this.bindings = new LinkedHashSet<>(this.parts.bindings());
	}

	MessagePolicies policies() {
		return this.policies;
	}

	List<MessageTopology> topologies() {
		return this.policies.all().stream().map(MessagePolicy::topology).toList();
	}

	boolean declared() {
		return this.declared;
	}

	boolean deadLettersConsumed() {
		return this.deadLettersConsumed;
	}

	/** Of the application's user. */
	NeededPermissions permissions() {
		NeededPermissions working = NeededPermissions.working(this.policies.all(), this.deadLettersConsumed,
				this.parkingLotsConsumed);
		return this.declared ? NeededPermissions.of(working, NeededPermissions.declaring(this.policies.all()))
				: working;
	}

	@Nullable String username() {
		return this.username;
	}

	TopologyParts parts() {
		return this.parts;
	}

	Map<String, QueueModel> queues() {
		return this.queues;
	}

	Map<String, ExchangeModel> exchanges() {
		return this.exchanges;
	}

	Set<BindingModel> bindings() {
		return this.bindings;
	}

	/** Those of existing work queues. */
	Map<String, MessageTopology> existing() {
		return topologies().stream()
			.filter(MessageTopology::hasExistingQueue)
			.collect(Collectors.toMap(MessageTopology::queue, Function.identity(), (one, other) -> one,
					LinkedHashMap::new));
	}

	/** Whether a queue is expected, or has a name that belongs to one that is. */
	boolean isOurs(String queue) {
		return this.queues.containsKey(queue)
				|| this.queues.keySet().stream().anyMatch((ours) -> queue.startsWith(ours + "."));
	}

}
