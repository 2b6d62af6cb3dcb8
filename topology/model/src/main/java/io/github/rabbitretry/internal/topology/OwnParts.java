/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.rabbitretry.topology.DelayRoute;
import org.jspecify.annotations.Nullable;

/**
 * What is declared for one message type alone.
 */
final class OwnParts {

	private final MessageTopology topology;

	private final int deliveryLimit;

	private final boolean singleActiveConsumer;

	private final @Nullable String exchange;

	private final @Nullable String rejectionExchange;

	private final Set<String> routingKeys;

	private final boolean jittered;

	OwnParts(MessageTopology topology, MessageTopologyBuilder builder) {
		this.topology = topology;
		this.deliveryLimit = builder.deliveryLimit;
		this.singleActiveConsumer = builder.singleActiveConsumer;
		this.exchange = builder.exchange;
		this.rejectionExchange = builder.rejectionExchange;
		this.routingKeys = new LinkedHashSet<>(builder.routingKeys);
		if (builder.routingKeys.isEmpty()) {
			// producers go on with the key that was the queue's name
			this.routingKeys.add(builder.queue);
			this.routingKeys.addAll(builder.formerQueues);
		}
		this.jittered = builder.jittered;
	}

	/**
	 * Collects the parts.
	 * @return its exchanges, queues and bindings; a queue stands after those that it
	 * dead-letters to
	 */
	TopologyParts collect() {
		TopologyParts.Collector parts = new TopologyParts.Collector();
		if (this.exchange != null) {
			parts.exchange(this.exchange, "topic");
			this.routingKeys.forEach((key) -> parts.bind(this.exchange, key, this.topology.queue()));
		}
		if (this.rejectionExchange != null && !this.rejectionExchange.equals(this.exchange)) {
			parts.exchange(this.rejectionExchange, "topic");
		}
		addTerminalQueues(parts);
		addWorkQueues(parts);
		addRetryQueues(parts);
		return parts.collected();
	}

	List<BindingDefinition> formerBindings() {
		String from = this.exchange;
		return (from == null) ? List.of()
				: this.topology.formerQueues()
					.stream()
					.flatMap((former) -> this.routingKeys.stream()
						.map((key) -> BindingDefinition.toQueue(from, key, former.queue())))
					.toList();
	}

	private void addTerminalQueues(TopologyParts.Collector parts) {
		parts.exchange(this.topology.deadLetterExchange(), "direct");
		parts.queue(this.topology.parkingLot(), QueueRole.PARKING_LOT,
				QueueArguments.storage(this.topology.queueType()));
		parts.bindByName(this.topology.deadLetterExchange(), this.topology.parkingLot());
		// what ends each consumer that it is delivered to must not come back for ever
		parts.queue(this.topology.deadLetterQueue(), QueueRole.DEAD_LETTER,
				QueueArguments.limited(this.topology.queueType(), this.topology.deadLetterExchange(),
						this.topology.lastQueueBinding().routingKey(), this.topology.deadLetterDeliveries()));
		parts.bindByName(this.topology.deadLetterExchange(), this.topology.deadLetterQueue());
		if (this.topology.needsLastQueue()) {
			parts.bind(this.topology.lastQueueBinding());
		}
	}

	private void addWorkQueues(TopologyParts.Collector parts) {
		Map<String, Object> arguments = QueueArguments.limited(this.topology.queueType(),
				this.topology.deadLetterExchange(), this.topology.deadLetterQueue(), this.deliveryLimit);
		if (this.topology.hasExistingQueue()) {
			parts.queue(QueueDefinition.existing(this.topology.queue(), QueueRole.WORK));
		}
		else {
			parts.queue(this.topology.queue(), QueueRole.WORK,
					this.singleActiveConsumer ? QueueArguments.singleActiveConsumer(arguments) : arguments);
		}
		if (this.topology.quarantined()) {
			parts.queue(this.topology.quarantine(), QueueRole.QUARANTINE, arguments);
			parts.bindByName(this.topology.deadLetterExchange(), this.topology.quarantine());
		}
	}

	private void addRetryQueues(TopologyParts.Collector parts) {
		if (!this.topology.hasExistingQueue()) {
			parts.exchange(this.topology.ringExchange(), "direct");
			parts.bindByName(this.topology.ringExchange(), this.topology.queue());
		}
		else if (!this.topology.levels().isEmpty()) {
			parts.exchange(this.topology.ringExchange(), "direct");
		}
		if (this.topology.hasExistingQueue() && this.topology.hasLadder()) {
			parts.queue(this.topology.endOfLadder(), QueueRole.RETRY, waiting(Duration.ZERO));
		}
		for (DelayLevel level : this.topology.levels()) {
			parts.queue(this.topology.retryQueue(level), QueueRole.RETRY, waiting(level.delay()));
			parts.bindByName(this.topology.ringExchange(), this.topology.retryQueue(level));
			if (this.jittered) {
				parts.bind(DelayLadder.exit(this.topology.retryQueue(level), this.topology.retryQueue(level)));
			}
		}
		if (this.topology.hasLadder()) {
			parts.bind(DelayLadder.exit(this.topology.endOfLadder(), this.topology.endOfLadder()));
		}
	}

	private Map<String, Object> waiting(Duration delay) {
		DelayRoute back = this.topology.directRoute();
		Map<String, Object> arguments = QueueArguments.deadLettering(this.topology.queueType(), back.exchange());
		arguments.put("x-dead-letter-routing-key", back.routingKey());
		arguments.put("x-message-ttl", delay.toMillis());
		return arguments;
	}

}
