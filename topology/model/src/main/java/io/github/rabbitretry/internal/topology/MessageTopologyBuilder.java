/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link MessageTopology}.
 */
public final class MessageTopologyBuilder {

	final String queue;

	QueueType queueType = QueueType.QUORUM;

	int deliveryLimit = 5;

	@Nullable Duration longestHold;

	WorkQueueMode workQueue = WorkQueueMode.DECLARE;

	boolean quarantined;

	boolean singleActiveConsumer;

	@Nullable String exchange;

	@Nullable String rejectionExchange;

	List<String> routingKeys = List.of();

	List<Duration> delays = List.of();

	boolean jittered;

	boolean exactDelays;

	Duration longestDelay = DelayLadder.LONGEST;

	TopologyNames names = TopologyNames.DERIVED;

	RetryQueueScope ring = RetryQueueScope.PER_TYPE;

	List<String> formerQueues = List.of();

	MessageTopologyBuilder(String queue) {
		this.queue = queue;
	}

	/**
	 * Sets the type of all queues but the ladder's. Replaces quorum.
	 * @param queueType the type
	 * @return this builder
	 */
	public MessageTopologyBuilder queueType(QueueType queueType) {
		this.queueType = queueType;
		return this;
	}

	/**
	 * Sets who declares the work queue. Replaces {@link WorkQueueMode#DECLARE}.
	 * @param workQueue with {@link WorkQueueMode#EXISTING}, delivery limit and queue type
	 * have no effect on the work queue, and it can't be bound
	 * @return this builder
	 */
	public MessageTopologyBuilder workQueue(WorkQueueMode workQueue) {
		this.workQueue = workQueue;
		return this;
	}

	/**
	 * Sets which queues were the work queue before. Replaces an earlier call.
	 * @param queues their names
	 * @return this builder
	 */
	public MessageTopologyBuilder formerQueues(Collection<String> queues) {
		this.formerQueues = List.copyOf(queues);
		return this;
	}

	/**
	 * Sets how often the broker may deliver a message that is never settled, because its
	 * consumer died, before it gives the message up. Replaces 5; without effect on
	 * classic queues.
	 * @param deliveryLimit 1 or more
	 * @return this builder
	 */
	public MessageTopologyBuilder deliveryLimit(int deliveryLimit) {
		this.deliveryLimit = deliveryLimit;
		return this;
	}

	/**
	 * Sets how long consumers may hold a delivery.
	 * @param longestHold how long, or {@code null} if that is not known
	 * @return this builder
	 */
	public MessageTopologyBuilder longestHold(@Nullable Duration longestHold) {
		this.longestHold = longestHold;
		return this;
	}

	/**
	 * Sets whether there is a queue for messages that consumers died with. Replaces none;
	 * without effect on classic queues, which don't count such deaths.
	 * @param quarantined whether there is one
	 * @return this builder
	 */
	public MessageTopologyBuilder quarantine(boolean quarantined) {
		this.quarantined = quarantined;
		return this;
	}

	/**
	 * Sets whether the work queue delivers to one of its consumers at a time, the next
	 * one taking over when that is gone. Replaces {@code false}.
	 * @param singleActiveConsumer whether it does
	 * @return this builder
	 */
	public MessageTopologyBuilder singleActiveConsumer(boolean singleActiveConsumer) {
		this.singleActiveConsumer = singleActiveConsumer;
		return this;
	}

	/**
	 * Declares the producer's exchange too, as a topic exchange, and binds the work queue
	 * to it. Replaces an earlier call.
	 * @param exchange its name
	 * @param routingKeys the keys to bind; none binds the work queue's name, and those
	 * that it had before
	 * @return this builder
	 */
	public MessageTopologyBuilder boundTo(@Nullable String exchange, Collection<String> routingKeys) {
		this.exchange = exchange;
		this.routingKeys = List.copyOf(routingKeys);
		return this;
	}

	/**
	 * Declares the exchange of business rejections too, as a topic exchange that others
	 * bind to. Replaces none, and an earlier call.
	 * @param exchange its name, which may be that of {@link #boundTo}, or {@code null}
	 * for none
	 * @return this builder
	 */
	public MessageTopologyBuilder rejectionExchange(@Nullable String exchange) {
		this.rejectionExchange = exchange;
		return this;
	}

	/**
	 * Sets the delays to have a retry queue for. Replaces an earlier call.
	 * @param delays distinct, as {@link DelayLevel} allows them, in any order
	 * @return this builder
	 */
	public MessageTopologyBuilder delays(Collection<Duration> delays) {
		this.delays = List.copyOf(delays);
		return this;
	}

	/**
	 * Sets whether messages wait for a random time before they come into a retry queue,
	 * see {@link DelayLadder#draw}. Replaces {@code false}.
	 * @param jittered whether they do
	 * @return this builder
	 */
	public MessageTopologyBuilder jittered(boolean jittered) {
		this.jittered = jittered;
		return this;
	}

	/**
	 * Sets whether any delay is waited for as it is, on the ladder. Replaces
	 * {@code false}: delays without a retry queue are composed of those that have one.
	 * @param exactDelays whether the ladder is there for them
	 * @return this builder
	 */
	public MessageTopologyBuilder exactDelays(boolean exactDelays) {
		this.exactDelays = exactDelays;
		return this;
	}

	/**
	 * Sets the longest delay that messages may be asked to wait. Replaces
	 * {@link DelayLadder#LONGEST}.
	 * @param longestDelay positive; the longest possible one if it is longer
	 * @return this builder
	 */
	public MessageTopologyBuilder longestDelay(Duration longestDelay) {
		this.longestDelay = (longestDelay.compareTo(DelayLadder.LONGEST) < 0) ? longestDelay : DelayLadder.LONGEST;
		return this;
	}

	/**
	 * Sets where messages wait. Replaces {@link RetryQueueScope#PER_TYPE}.
	 * @param ring with {@link RetryQueueScope#SHARED}, delay levels have no effect: the
	 * ladder takes every delay
	 * @return this builder
	 */
	public MessageTopologyBuilder ring(RetryQueueScope ring) {
		this.ring = ring;
		return this;
	}

	/**
	 * Overrides derived names. Replaces an earlier call.
	 * @param names the names
	 * @return this builder
	 */
	public MessageTopologyBuilder names(TopologyNames names) {
		this.names = names;
		return this;
	}

	/**
	 * Builds the topology.
	 * @return the topology
	 * @throws InvalidConfigurationException if it can't work
	 */
	public MessageTopology build() {
		return new MessageTopology(this);
	}

}
