/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.export;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.github.rabbitretry.internal.brokerpolicy.NamePattern;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.BindingModel;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.ExchangeModel;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueModel;
import io.github.rabbitretry.internal.topology.QueueRole;
import io.github.rabbitretry.internal.topology.TopologyParts;

/**
 * The least that each role needs. Recent releases of RabbitMQ tell only those who have
 * some permission on a queue whether it is there and how deep it is (4.2.6 and 4.3.0: who
 * may configure it). So a user that has to see a queue may write to it: that lets it bind
 * the queue only where it may also read an exchange, which it may not.
 */
final class RolePermissions {

	/** Publishes to each queue by its name. */
	private static final String DEFAULT_EXCHANGE = "amq.default";

	private final Collection<MessagePolicy> policies;

	private final TopologyParts parts;

	private final ExportOptions options;

	RolePermissions(Collection<MessagePolicy> policies, ExportOptions options) {
		this.policies = policies;
		this.parts = TopologyParts.of(policies.stream().map(MessagePolicy::topology).toList());
		this.options = options;
	}

	Permissions of(Role role) {
		return switch (role) {
			case TOPOLOGY -> topology();
			case WORKER -> worker();
			case OPERATOR -> operator();
			case MONITOR -> permissions(role, List.of(), List.of(), List.of(), Map.of());
		};
	}

	/** To bind is to write and to read, and so is to declare dead-lettering. */
	private Permissions topology() {
		List<List<String>> all = new ArrayList<>();
		this.policies.forEach((policy) -> all.add(ownNames(policy.topology())));
		all.add(ladderNames());
		all.add(this.options.writes());
		all.add(this.options.reads());
		List<List<String>> written = new ArrayList<>(all);
		if (anyExisting()) {
			// where retry queues lead back to, and queues that have to be there
			written.add(List.of(DEFAULT_EXCHANGE));
			this.policies.stream()
				.map(MessagePolicy::topology)
				.filter(MessageTopology::hasExistingQueue)
				.forEach((topology) -> written.add(List.of(topology.queue())));
		}
		return permissions(Role.TOPOLOGY, all, written, all, Map.of());
	}

	private Permissions worker() {
		List<List<String>> read = new ArrayList<>();
		List<List<String>> written = new ArrayList<>();
		for (MessagePolicy policy : this.policies) {
			MessageTopology topology = policy.topology();
			List<String> consumed = new ArrayList<>(List.of(topology.queue()));
			if (topology.quarantined()) {
				consumed.add(topology.quarantine());
			}
			consumed.add(topology.deadLetterQueue());
			if (this.options.ledger()) {
				consumed.add(topology.parkingLot());
			}
			read.add(consumed);
			written.add(publishedAndSeen(topology));
			if (policy.rejection() != null) {
				written.add(List.of(policy.rejection().exchange()));
			}
		}
		read.add(this.options.reads());
		written.add(this.options.writes());
		written.add(entryAndSeenOfLadder());
		if (anyExisting()) {
			written.add(List.of(DEFAULT_EXCHANGE));
		}
		return permissions(Role.WORKER, List.of(), written, read,
				ladderTopics(NamePattern.ofGroups(List.of(endsOfLadder()))));
	}

	private Permissions operator() {
		List<List<String>> read = new ArrayList<>();
		List<List<String>> written = new ArrayList<>();
		this.policies.forEach((policy) -> {
			read.add(List.of(policy.topology().parkingLot()));
			written.add(publishedAndSeen(policy.topology()));
		});
		read.add(List.of(DelayLadder.UNROUTABLE));
		written.add(seenOfLadder());
		if (anyExisting()) {
			written.add(List.of(DEFAULT_EXCHANGE));
		}
		return permissions(Role.OPERATOR, List.of(), written, read, ladderTopics(Permissions.NOTHING));
	}

	private Permissions permissions(Role role, List<List<String>> configure, List<List<String>> write,
			List<List<String>> read, Map<String, String> topics) {
		return new Permissions(role, role.user(this.options.application()), NamePattern.ofGroups(configure),
				NamePattern.ofGroups(write), NamePattern.ofGroups(read), topics);
	}

	private boolean anyExisting() {
		return this.policies.stream().anyMatch((policy) -> policy.topology().hasExistingQueue());
	}

	private List<String> ownNames(MessageTopology topology) {
		Set<String> names = new LinkedHashSet<>();
		topology.exchanges().stream().map(ExchangeModel::name).forEach(names::add);
		topology.ownQueues().stream().filter((queue) -> !queue.existing()).map(QueueModel::name).forEach(names::add);
		names.removeIf(DelayLadder::hasExchange);
		return List.copyOf(names);
	}

	private List<String> ladderNames() {
		Set<String> names = new LinkedHashSet<>();
		this.parts.exchanges().stream().map(ExchangeModel::name).forEach(names::add);
		this.parts.queues().stream().map(QueueModel::name).forEach(names::add);
		names.removeIf((name) -> !DelayLadder.hasExchange(name));
		return List.copyOf(names);
	}

	/** Ring, dead-letter exchange, and the queues that are filled through them. */
	private List<String> publishedAndSeen(MessageTopology topology) {
		Set<String> names = new LinkedHashSet<>();
		topology.exchanges()
			.stream()
			.map(ExchangeModel::name)
			.filter((name) -> name.equals(topology.ringExchange()) || name.equals(topology.deadLetterExchange()))
			.forEach(names::add);
		topology.ownQueues()
			.stream()
			.filter((queue) -> queue.role() == QueueRole.RETRY || queue.role() == QueueRole.PARKING_LOT)
			.map(QueueModel::name)
			.forEach(names::add);
		return List.copyOf(names);
	}

	private List<String> entryAndSeenOfLadder() {
		List<String> names = new ArrayList<>();
		if (hasLadder()) {
			names.add(DelayLadder.NAME);
		}
		names.addAll(seenOfLadder());
		return names;
	}

	private List<String> seenOfLadder() {
		return this.parts.queues().stream().map(QueueModel::name).filter(DelayLadder::hasExchange).toList();
	}

	private boolean hasLadder() {
		return this.policies.stream().anyMatch((policy) -> policy.topology().hasLadder());
	}

	/** Routing keys of the ladder end with the name of what they lead to. */
	private List<String> endsOfLadder() {
		return this.parts.bindings()
			.stream()
			.filter((binding) -> binding.exchange().equals(DelayLadder.EXIT))
			.map(BindingModel::routingKey)
			.map(DelayLadder::end)
			.toList();
	}

	/**
	 * Queues of the ladder have the names of exchanges, and what may be seen may be
	 * published to: but with keys that lead to queues of this application.
	 */
	private Map<String, String> ladderTopics(String ends) {
		Map<String, String> topics = new TreeMap<>();
		if (hasLadder()) {
			String keys = ends.equals(Permissions.NOTHING) ? ends : DelayLadder.STEPS_PATTERN + ends.substring(1);
			this.parts.exchanges()
				.stream()
				.filter((exchange) -> exchange.type().equals("topic") && DelayLadder.hasExchange(exchange.name()))
				.map(ExchangeModel::name)
				.filter((name) -> !name.equals(DelayLadder.EXIT))
				.forEach((name) -> topics.put(name, keys));
		}
		return topics;
	}

}
