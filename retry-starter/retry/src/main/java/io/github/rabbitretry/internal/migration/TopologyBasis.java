/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

import io.github.rabbitretry.internal.topology.DelayLevel;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueType;
import io.github.rabbitretry.internal.topology.TopologyNames;
import io.github.rabbitretry.internal.topology.WorkQueue;

/**
 * The names of a topology, of which there may be variants on the broker: with queues of
 * another type, with other delays, with a work queue that is another's.
 *
 * @param queue the work queue
 * @param names all other names
 */
record TopologyBasis(String queue, TopologyNames names) {

	private static final Duration ANY_DELAY = Duration.ofSeconds(1);

	static TopologyBasis of(MessageTopology topology) {
		DelayLevel any = new DelayLevel(ANY_DELAY);
		String retryQueue = topology.retryQueue(any);
		return new TopologyBasis(topology.queue(),
				new TopologyNames(retryQueue.substring(0, retryQueue.length() - any.label().length() - 1),
						topology.ringExchange(), topology.deadLetterExchange(), topology.deadLetterQueue(),
						topology.parkingLot(), topology.quarantine()));
	}

	static TopologyBasis derived(String queue) {
		return of(MessageTopology.of(queue).build());
	}

	String retryPrefix() {
		return this.names.retryPrefix() + ".";
	}

	/**
	 * Topologies of these names that earlier configurations may have declared.
	 * @param delays the delays of retry queues
	 * @param minimal whether queues may have been declared with minimal arguments
	 * @return one for each type of queue and each kind of work queue
	 */
	List<MessageTopology> variants(Collection<Duration> delays, boolean minimal) {
		List<Duration> some = delays.isEmpty() ? List.of(ANY_DELAY) : List.copyOf(delays);
		return List.of(variant(QueueType.QUORUM, WorkQueue.DECLARE, some, minimal),
				variant(QueueType.CLASSIC, WorkQueue.DECLARE, some, minimal),
				variant(QueueType.QUORUM, WorkQueue.EXISTING, some, minimal),
				variant(QueueType.CLASSIC, WorkQueue.EXISTING, some, minimal));
	}

	private MessageTopology variant(QueueType type, WorkQueue workQueue, List<Duration> delays, boolean minimal) {
		return MessageTopology.of(this.queue)
			.queueType(type)
			.workQueue(workQueue)
			.quarantine(true)
			.delays(delays)
			.minimalArguments(minimal)
			.names(this.names)
			.build();
	}

}
