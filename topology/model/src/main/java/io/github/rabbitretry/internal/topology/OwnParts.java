/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.rabbitretry.topology.DelayRoute;

/**
 * What is declared for one message type alone.
 *
 * @param topology the topology, but for its parts
 * @param given what it is built of
 */
record OwnParts(MessageTopology topology, MessageTopologyBuilder given) {

	/**
	 * Collects the parts.
	 * @return its exchanges, queues and bindings; a queue stands after those that it
	 * dead-letters to
	 */
	TopologyParts collect() {
		TopologyParts.Collector parts = new TopologyParts.Collector();
		String exchange = this.given.exchange;
		if (exchange != null) {
			parts.exchange(exchange, "topic");
			routingKeys().forEach((key) -> parts.bind(exchange, key, this.topology.queue()));
		}
		String rejections = this.given.rejectionExchange;
		if (rejections != null && !rejections.equals(exchange)) {
			parts.exchange(rejections, "topic");
		}
		addTerminalQueues(parts);
		addWorkQueues(parts);
		addRetryQueues(parts);
		return parts.collected();
	}

	List<BindingDefinition> formerBindings() {
		String from = this.given.exchange;
		return (from == null) ? List.of()
				: this.topology.formerQueues()
					.stream()
					.flatMap((former) -> routingKeys().stream()
						.map((key) -> BindingDefinition.toQueue(from, key, former.queue())))
					.toList();
	}

	/** Producers go on with the key that was the queue's name. */
	private List<String> routingKeys() {
		Stream<String> keys = !this.given.routingKeys.isEmpty() ? this.given.routingKeys.stream()
				: Stream.concat(Stream.of(this.given.queue), this.given.formerQueues.stream());
		return keys.distinct().toList();
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
				this.topology.deadLetterExchange(), this.topology.deadLetterQueue(), this.given.deliveryLimit);
		if (this.topology.hasExistingQueue()) {
			parts.queue(QueueDefinition.existing(this.topology.queue(), QueueRole.WORK));
		}
		else {
			parts.queue(this.topology.queue(), QueueRole.WORK,
					this.given.singleActiveConsumer ? QueueArguments.singleActiveConsumer(arguments) : arguments);
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
			if (this.given.jittered) {
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
