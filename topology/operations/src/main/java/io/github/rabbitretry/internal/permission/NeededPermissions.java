/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.permission;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.topology.BindingDefinition;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.ExchangeDefinition;
import io.github.rabbitretry.internal.topology.FormerQueue;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.QueueRole;
import io.github.rabbitretry.internal.topology.TopologyParts;
import io.github.rabbitretry.internal.topology.TypeTopology;

/**
 * What a user of the broker has to be permitted, by what it does: the doctor compares
 * users with it, and the export gives it to them.
 *
 * @param configure names of queues and exchanges to declare
 * @param write names to publish to, to bind, or to dead-letter to
 * @param read names to consume, to bind from, or to dead-letter from
 */
public record NeededPermissions(Set<String> configure, Set<String> write, Set<String> read) {

	/** Publishes to each queue by its name. */
	private static final String DEFAULT_EXCHANGE = "amq.default";

	private static NeededPermissions none() {
		return new NeededPermissions(new LinkedHashSet<>(), new LinkedHashSet<>(), new LinkedHashSet<>());
	}

	/**
	 * Of several activities.
	 * @param activities the permissions of each
	 * @return those of all
	 */
	public static NeededPermissions of(NeededPermissions... activities) {
		NeededPermissions all = none();
		Arrays.stream(activities).forEach((one) -> {
			all.configure.addAll(one.configure);
			all.write.addAll(one.write);
			all.read.addAll(one.read);
		});
		return all;
	}

	/**
	 * Of code that publishes and consumes apart from message policies.
	 * @param write exchanges to publish to
	 * @param read queues to consume
	 * @return the permissions
	 */
	public static NeededPermissions using(Collection<String> write, Collection<String> read) {
		return new NeededPermissions(Set.of(), new LinkedHashSet<>(write), new LinkedHashSet<>(read));
	}

	/**
	 * Of the declaration of queues, exchanges and bindings. To bind is to write and to
	 * read, as is to unbind a former queue; and so is to declare dead-lettering and
	 * alternate exchanges.
	 * @param policies whose they are
	 * @return the permissions
	 */
	public static NeededPermissions declaring(Collection<TypeTopology> policies) {
		NeededPermissions needed = none();
		TopologyParts parts = parts(policies);
		parts.exchanges().forEach(needed::declare);
		parts.queues().stream().filter((queue) -> !queue.existing()).forEach(needed::declare);
		parts.bindings().forEach(needed::bind);
		policies.stream().map(TypeTopology::topology).forEach((topology) -> {
			needed.declare(topology.lastQueue());
			needed.bind(topology.lastQueueBinding());
			topology.formerQueues().stream().map(FormerQueue::queue).forEach(needed.write::add);
		});
		return needed;
	}

	private void bind(BindingDefinition binding) {
		this.write.add(binding.destination());
		this.read.add(binding.exchange());
	}

	private void declare(ExchangeDefinition exchange) {
		this.configure.add(exchange.name());
		Object alternate = exchange.arguments().get("alternate-exchange");
		if (alternate != null) {
			this.read.add(exchange.name());
			this.write.add(alternate.toString());
		}
	}

	private void declare(QueueDefinition queue) {
		this.configure.add(queue.name());
		Object exchange = queue.arguments().get("x-dead-letter-exchange");
		if (exchange != null) {
			this.read.add(queue.name());
			this.write.add(exchange.toString().isEmpty() ? DEFAULT_EXCHANGE : exchange.toString());
		}
	}

	/**
	 * Of a service that handles messages, retries and parks them.
	 * @param policies whose they are
	 * @param deadLetters whether it consumes dead-letter queues
	 * @param parkingLots whether it consumes parking lots
	 * @return the permissions
	 */
	public static NeededPermissions working(Collection<TypeTopology> policies, boolean deadLetters,
			boolean parkingLots) {
		NeededPermissions needed = none();
		for (TypeTopology policy : policies) {
			MessageTopology topology = policy.topology();
			List<FormerQueue> former = topology.formerQueues();
			needed.read.add(topology.queue());
			former.forEach((queue) -> needed.read.addAll(List.of(queue.queue(), queue.quarantine())));
			if (policy.quarantined()) {
				needed.read.add(topology.quarantine());
			}
			if (deadLetters) {
				needed.read.add(topology.deadLetterQueue());
				former.forEach((queue) -> needed.read.add(queue.deadLetterQueue()));
			}
			if (parkingLots) {
				needed.read.add(topology.parkingLot());
				former.forEach((queue) -> needed.read.add(queue.parkingLot()));
			}
			needed.publishCopies(topology);
			if (topology.hasLadder()) {
				needed.write.add(DelayLadder.NAME);
			}
			if (policy.rejectionExchange() != null) {
				needed.write.add(policy.rejectionExchange());
			}
		}
		return needed;
	}

	/**
	 * Of users who look at parked messages and replay them, or park them again.
	 * @param policies whose they are
	 * @return the permissions
	 */
	public static NeededPermissions operating(Collection<TypeTopology> policies) {
		NeededPermissions needed = none();
		policies.stream().map(TypeTopology::topology).forEach((topology) -> {
			needed.read.add(topology.parkingLot());
			topology.formerQueues().stream().map(FormerQueue::parkingLot).forEach(needed.read::add);
			needed.publishCopies(topology);
		});
		return needed;
	}

	private void publishCopies(MessageTopology topology) {
		topology.exchanges()
			.stream()
			.map(ExchangeDefinition::name)
			.filter((name) -> name.equals(topology.ringExchange()) || name.equals(topology.deadLetterExchange()))
			.forEach(this.write::add);
		if (topology.hasExistingQueue()) {
			this.write.add(DEFAULT_EXCHANGE);
		}
	}

	/**
	 * Of users who have to see queues without consuming them. RabbitMQ 4.3.6 shows only
	 * those who have some permission on a queue whether it is there and how deep it is.
	 * Writing lets it be bound as well, and only to an exchange that may be read: such
	 * users must not read any.
	 * @param policies whose queues
	 * @return the permissions
	 */
	public static NeededPermissions seeing(Collection<TypeTopology> policies) {
		Stream<String> own = policies.stream()
			.flatMap((policy) -> policy.topology().ownQueues().stream())
			.filter((queue) -> queue.role() == QueueRole.RETRY || queue.role() == QueueRole.PARKING_LOT)
			.map(QueueDefinition::name);
		Stream<String> former = policies.stream().map(TypeTopology::topology).flatMap(NeededPermissions::former);
		Stream<String> ladder = parts(policies).queues()
			.stream()
			.map(QueueDefinition::name)
			.filter(DelayLadder::hasExchange);
		return using(Stream.of(own, former, ladder, Stream.of(DelayLadder.UNROUTABLE))
			.flatMap(Function.identity())
			.collect(Collectors.toCollection(LinkedHashSet::new)), List.of());
	}

	private static Stream<String> former(MessageTopology topology) {
		return topology.formerQueues()
			.stream()
			.flatMap((former) -> Stream.concat(Stream.of(former.parkingLot()),
					topology.levels().stream().map(former::retryQueue)));
	}

	private static TopologyParts parts(Collection<TypeTopology> policies) {
		return TopologyParts.of(policies.stream().map(TypeTopology::topology).toList());
	}

}
