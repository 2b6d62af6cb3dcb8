/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.ordering;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.container.ConsumerWidth;
import io.github.rabbitretry.internal.container.ManagedQueue;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.Ordering;
import io.github.rabbitretry.internal.pipeline.ObservedListener;
import io.github.rabbitretry.internal.thread.DaemonThreads;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;

/**
 * The queues of this process whose messages are kept in order. Each has lanes and threads
 * of its own, whatever becomes of the containers.
 */
public final class OrderedQueues implements AutoCloseable {

	private final Map<String, OrderedQueue> queues = new ConcurrentHashMap<>();

	private final List<OrderedHandling> handlings = new CopyOnWriteArrayList<>();

	/**
	 * Has a container consume as an ordered queue needs it.
	 * @param queues its queues
	 * @param container not yet initialized
	 * @param publishers say how long a stop may take
	 * @param patience how long a stop waits for handlers
	 * @param textHeaders headers that are read as texts
	 * @return what keeps its messages in order, or {@code null} if they need not be
	 */
	public @Nullable OrderedHandling handling(Collection<ManagedQueue> queues,
			AbstractMessageListenerContainer container, ConfirmedPublishers publishers, Duration patience,
			Collection<String> textHeaders) {
		MessagePolicy policy = queues.iterator().next().policy();
		Ordering ordering = policy.ordering();
		if (ordering == null) {
			return null;
		}
		ConsumerWidth own = ConsumerWidth.of(container);
		boolean one = ordering.key() == null;
		own.single(one ? 1 : own.prefetch()).apply(container);
		OrderedQueue queue = this.queues.computeIfAbsent(policy.queue(), OrderedQueue::new);
		queue.widen(one ? 1 : own.mostConsumers());
		OrderedHandling handling = new OrderedHandling(policy, ordering, queue.lanes, publishers, patience,
				ObservedListener.takeOver(container), textHeaders, container);
		this.handlings.add(handling);
		container.setConnectionFactory(ClosingConnections.around(container.getConnectionFactory(), handling::close));
		return handling;
	}

	/** Queues at whose head a message waits for an operator. */
	public List<HealthProblem> problems() {
		return this.handlings.stream().map(OrderedHandling::problem).filter(Objects::nonNull).toList();
	}

	/**
	 * Begins nothing new in containers that are about to be stopped: they are so one
	 * after the other.
	 * @param stopped which
	 */
	public void end(Predicate<MessageListenerContainer> stopped) {
		this.handlings.stream().filter((handling) -> stopped.test(handling.container())).forEach(OrderedHandling::end);
	}

	/** Waits, bounded, for stops of containers that have begun here. */
	public void awaitBlocks() {
		long begun = System.nanoTime();
		this.handlings.forEach((handling) -> handling.awaitBlock(begun));
	}

	/** How many keys of a message type have messages here. */
	public int lanes(String messageType) {
		return of(messageType).mapToInt(OrderedHandling::lanes).max().orElse(0);
	}

	/** Whether a listener of a message type is stopped at a message. */
	public boolean blocked(String messageType) {
		return of(messageType).anyMatch((handling) -> handling.problem() != null);
	}

	/** Whether messages of a container are handled or wait here. */
	public boolean holds(MessageListenerContainer container) {
		return of(container).anyMatch(OrderedHandling::holds);
	}

	/** Whether a container was stopped at a message. */
	public boolean blocked(MessageListenerContainer container) {
		return of(container).anyMatch((handling) -> handling.problem() != null);
	}

	private Stream<OrderedHandling> of(MessageListenerContainer container) {
		return this.handlings.stream().filter((handling) -> handling.container() == container);
	}

	private Stream<OrderedHandling> of(String messageType) {
		return this.handlings.stream().filter((handling) -> handling.messageType().equals(messageType));
	}

	@Override
	public void close() {
		this.queues.values().forEach((queue) -> queue.threads.shutdownNow());
	}

	private static final class OrderedQueue {

		private final ScheduledThreadPoolExecutor threads;

		private final Lanes lanes;

		private int width;

		OrderedQueue(String name) {
			this.threads = new ScheduledThreadPoolExecutor(1,
					DaemonThreads.numbered("rabbit-retry-order-%s-".formatted(name)));
			this.threads.setRemoveOnCancelPolicy(true);
			this.lanes = new Lanes(this.threads::schedule);
		}

		synchronized void widen(int more) {
			this.width += more;
			this.threads.setCorePoolSize(this.width);
		}

	}

}
