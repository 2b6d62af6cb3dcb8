/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.plan;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.github.rabbitretry.internal.snapshot.BindingSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.Ownership;
import io.github.rabbitretry.internal.snapshot.QueueSnapshot;
import io.github.rabbitretry.internal.snapshot.QueueUsers;
import io.github.rabbitretry.internal.topology.BindingDefinition;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.QueueRole;
import io.github.rabbitretry.internal.topology.TopologyParts;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Binding.DestinationType;

/**
 * The queues of the given configurations, and whether one on the broker is certainly one
 * of them and has no other users.
 */
final class KnownQueues {

	private final List<Known> all = new ArrayList<>();

	/** Bindings that we made. */
	private final Set<BindingDefinition> bindings = new HashSet<>();

	private final BrokerSnapshot live;

	private final Set<String> standIns;

	private final QueueUsers usage;

	/**
	 * Creates it without queues.
	 * @param live the broker
	 * @param standIns queues that have a stand-in
	 */
	KnownQueues(BrokerSnapshot live, Set<String> standIns) {
		this.live = live;
		this.standIns = standIns;
		this.usage = new QueueUsers(live);
	}

	void add(MessageTopology topology, MessageTopology now) {
		topology.ownQueues().forEach((model) -> this.all.add(new Known(model, topology, now)));
		this.bindings.addAll(TopologyParts.of(List.of(topology)).bindings());
	}

	List<Known> all() {
		return this.all;
	}

	/** The work queue that is now configured for the message type of a queue. */
	String workQueue(String queue) {
		return this.all.stream().filter((one) -> one.is(queue)).findFirst().orElseThrow().now().queue();
	}

	/** Why no command may empty or delete a queue, or {@code null} if one may. */
	@Nullable String doubt(QueueSnapshot queue) {
		Known ours = this.all.stream()
			.filter((one) -> one.is(queue.name()) && isSure(one, queue))
			.findFirst()
			.orElse(null);
		if (ours == null) {
			return "it is not certain to be ours by its name, arguments and routes; if an earlier configuration declared it, give that with --former-config";
		}
		if (!queue.state().equals("running")) {
			return "its state is '%s'".formatted(queue.state());
		}
		Set<BindingDefinition> allowed = new HashSet<>(this.bindings);
		for (BindingSnapshot binding : this.live.bindingsOf(queue.name())) {
			if (ours.model().role() == QueueRole.WORK
					|| binding.source().equals(MessageTopology.movesTo(queue.name()))) {
				allowed.add(binding.model());
			}
		}
		return this.usage.ofQueueByRoutes(queue.name(), allowed);
	}

	/**
	 * The work queue that a former retry queue leads to. Another live configuration of
	 * the work queue may use retry queues that none of the given ones names.
	 * @param queue a queue on the broker
	 * @return the work queue; empty, if it is not certainly a retry queue that is not
	 * used
	 */
	Optional<String> ofDrainingQueue(QueueSnapshot queue) {
		return this.all.stream()
			.filter((one) -> one.is(queue.name()) && one.model().role() == QueueRole.RETRY && isSure(one, queue))
			.findFirst()
			.filter((ours) -> {
				Set<BindingDefinition> allowed = new HashSet<>(this.bindings);
				allowed.add(new BindingDefinition(ours.topology().ringExchange(), queue.name(), DestinationType.QUEUE,
						queue.name()));
				return this.usage.ofQueue(queue.name(), allowed) == null;
			})
			.map((ours) -> ours.now().queue());
	}

	/** What has a stand-in was sure before its marks were deleted. */
	private boolean isSure(Known known, QueueSnapshot queue) {
		QueueDefinition model = known.model();
		return Ownership.isSure(model, known.topology(), queue, this.live) || this.standIns.contains(queue.name())
				&& !model.existing() && !model.minimal() && queue.isDeclaredAs(model);
	}

	/**
	 * A queue of a configuration.
	 *
	 * @param model the queue
	 * @param topology what it is part of
	 * @param now what is configured for the same message type
	 */
	record Known(QueueDefinition model, MessageTopology topology, MessageTopology now) {

		boolean is(String name) {
			return this.model.name().equals(name);
		}

		String successor() {
			return switch (this.model.role()) {
				case DEAD_LETTER -> this.now.deadLetterQueue();
				case PARKING_LOT -> this.now.parkingLot();
				case QUARANTINE -> this.now.quarantined() ? this.now.quarantine() : this.now.queue();
				default -> this.now.queue();
			};
		}

	}

}
