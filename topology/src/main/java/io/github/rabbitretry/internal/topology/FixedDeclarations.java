/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * All exchanges, queues and bindings of one message type but those of the ladder, in the
 * order of their declaration. What they are for stands at {@link MessageTopology}.
 */
final class FixedDeclarations {

	private static final int NO_LIMIT = -1;

	private final MessageTopology topology;

	private final int deliveryLimit;

	private final @Nullable String exchange;

	private final Set<String> routingKeys;

	private final @Nullable String rejectionExchange;

	FixedDeclarations(MessageTopology topology, int deliveryLimit, @Nullable String exchange, Set<String> routingKeys,
			@Nullable String rejectionExchange) {
		this.topology = topology;
		this.deliveryLimit = deliveryLimit;
		this.exchange = exchange;
		this.routingKeys = routingKeys;
		this.rejectionExchange = rejectionExchange;
	}

	TopologyParts parts() {
		return new TopologyParts(exchanges(), queues(), bindings());
	}

	private List<ExchangeModel> exchanges() {
		List<ExchangeModel> exchanges = new ArrayList<>();
		if (this.exchange != null) {
			exchanges.add(new ExchangeModel(this.exchange, "topic"));
		}
		if (this.topology.ring() == RetryQueueScope.PER_TYPE) {
			exchanges.add(new ExchangeModel(this.topology.ringExchange(), "direct"));
		}
		exchanges.add(new ExchangeModel(this.topology.deadLetterExchange(), "direct"));
		if (this.rejectionExchange != null && !this.rejectionExchange.equals(this.exchange)) {
			exchanges.add(new ExchangeModel(this.rejectionExchange, "topic"));
		}
		return exchanges;
	}

	private List<QueueModel> queues() {
		List<QueueModel> queues = new ArrayList<>();
		queues.add(new QueueModel(this.topology.parkingLot(), QueueRole.PARKING_LOT, storage()));
		queues.add(new QueueModel(this.topology.undeliverable(), QueueRole.UNDELIVERABLE, storage()));
		queues.add(new QueueModel(this.topology.deadLetterQueue(), QueueRole.DEAD_LETTER, deadLetter()));
		queues.add(this.topology.hasExistingQueue() ? QueueModel.existing(this.topology.queue(), QueueRole.WORK)
				: new QueueModel(this.topology.queue(), QueueRole.WORK, work()));
		if (this.topology.quarantined()) {
			queues.add(new QueueModel(this.topology.quarantine(), QueueRole.QUARANTINE, work()));
		}
		for (DelayLevel level : this.topology.levels()) {
			queues.add(new QueueModel(this.topology.retryQueue(level), QueueRole.RETRY, retry(level.delay())));
		}
		if (this.topology.hasReturnQueue()) {
			queues.add(new QueueModel(this.topology.returnQueue(), QueueRole.RETRY, retry(Duration.ZERO)));
		}
		return queues;
	}

	private List<BindingModel> bindings() {
		List<BindingModel> bindings = new ArrayList<>();
		bindings.add(named(this.topology.deadLetterExchange(), this.topology.parkingLot()));
		bindings.add(named(this.topology.deadLetterExchange(), this.topology.deadLetterQueue()));
		bindings.add(named(this.topology.deadLetterExchange(), this.topology.undeliverable()));
		if (this.topology.quarantined()) {
			bindings.add(named(this.topology.deadLetterExchange(), this.topology.quarantine()));
		}
		if (this.topology.ring() == RetryQueueScope.PER_TYPE && !this.topology.hasExistingQueue()) {
			bindings.add(named(this.topology.ringExchange(), this.topology.queue()));
		}
		for (DelayLevel level : this.topology.levels()) {
			bindings.add(named(this.topology.ringExchange(), this.topology.retryQueue(level)));
		}
		if (this.exchange != null) {
			this.routingKeys
				.forEach((key) -> bindings.add(BindingModel.toQueue(this.exchange, key, this.topology.queue())));
		}
		return bindings;
	}

	private static BindingModel named(String exchange, String queue) {
		return BindingModel.toQueue(exchange, queue, queue);
	}

	private Map<String, Object> work() {
		Map<String, Object> arguments = QueueArguments.deadLettering(this.topology.queueType(),
				this.topology.deadLetterExchange());
		arguments.put("x-dead-letter-routing-key", this.topology.deadLetterQueue());
		if (this.topology.queueType() == QueueType.QUORUM) {
			arguments.put("x-delivery-limit", this.deliveryLimit);
		}
		return arguments;
	}

	/**
	 * What ends each consumer that it is delivered to must not come back for ever. A
	 * classic queue counts nothing.
	 */
	private Map<String, Object> deadLetter() {
		Map<String, Object> arguments = QueueArguments.deadLettering(this.topology.queueType(),
				this.topology.deadLetterExchange());
		arguments.put("x-dead-letter-routing-key", this.topology.undeliverable());
		if (this.topology.queueType() == QueueType.QUORUM) {
			arguments.put("x-delivery-limit", this.topology.deadLetterDeliveries());
		}
		return arguments;
	}

	private Map<String, Object> retry(Duration delay) {
		Map<String, Object> arguments = QueueArguments.deadLettering(this.topology.queueType(),
				this.topology.hasExistingQueue() ? MessageTopology.DEFAULT_EXCHANGE : this.topology.ringExchange());
		arguments.put("x-dead-letter-routing-key", this.topology.queue());
		arguments.put("x-message-ttl", delay.toMillis());
		return arguments;
	}

	private Map<String, Object> storage() {
		Map<String, Object> arguments = QueueArguments.of(this.topology.queueType());
		if (this.topology.queueType() == QueueType.QUORUM) {
			// 4.x would drop a message after 20 returns, each peek of an operator being
			// one
			arguments.put("x-delivery-limit", NO_LIMIT);
		}
		return arguments;
	}

}
