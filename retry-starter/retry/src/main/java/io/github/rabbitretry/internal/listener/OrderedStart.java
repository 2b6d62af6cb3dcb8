/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

import io.github.rabbitretry.internal.connection.QueueLookup;
import io.github.rabbitretry.internal.container.ContainerStart;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.FormerQueue;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;

/**
 * Starts the container of a policy that keeps messages in order once the former queues
 * are empty, so that no message of the new queue overtakes one of before. What another
 * instance holds is not counted by the broker: the former queue must have no consumer
 * either, and every instance consumes it only while it has messages.
 */
final class OrderedStart {

	private static final Log logger = LogFactory.getLog(OrderedStart.class);

	private static final long LOOK_AGAIN = TimeUnit.SECONDS.toNanos(1);

	/** What can't be seen without a permission is given so long to be consumed. */
	private static final int UNSEEN_LOOKS = 10;

	private static final long LOOK_LATER = TimeUnit.SECONDS.toNanos(5);

	/** Each look at a queue that does not exist is an error in the broker's log. */
	private static final long LOOK_FOR_MISSING = TimeUnit.SECONDS.toNanos(30);

	private final AbstractMessageListenerContainer own;

	private final MessagePolicy policy;

	private final Map<String, SecondContainer> former = new ConcurrentHashMap<>();

	private final Predicate<AbstractMessageListenerContainer> holding;

	private final BooleanSupplier held;

	private volatile boolean pending;

	private volatile long lookAt = System.nanoTime();

	private int emptyLooks;

	/**
	 * Keeps a container from being started with the application.
	 * @param own the container
	 * @param policy its policy
	 * @param holding whether messages of a container are handled or wait here
	 * @param held whether nothing may be started now
	 */
	OrderedStart(AbstractMessageListenerContainer own, MessagePolicy policy,
			Predicate<AbstractMessageListenerContainer> holding, BooleanSupplier held) {
		this.own = own;
		this.policy = policy;
		this.holding = holding;
		this.held = held;
		own.setAutoStartup(false);
	}

	void add(String queue, SecondContainer container) {
		this.former.put(queue, container);
	}

	/** To be called when containers are started. */
	void begin() {
		this.pending = !this.own.isRunning();
		this.emptyLooks = 0;
		if (this.pending) {
			logger.info("'%s' of message policy '%s' is consumed once %s are empty".formatted(this.policy.queue(),
					this.policy.messageType(), this.former.keySet()));
		}
	}

	/** To be called when containers are stopped. */
	void cancel() {
		this.pending = false;
	}

	boolean isOf(AbstractMessageListenerContainer container) {
		return container == this.own;
	}

	boolean startsLater(AbstractMessageListenerContainer container) {
		return this.pending && container == this.own;
	}

	boolean due() {
		return System.nanoTime() - this.lookAt > 0;
	}

	/** Looks whether the former queues are empty, and starts the container if so. */
	void look() {
		if (this.own.isRunning()) {
			// the application may have started it
			this.pending = false;
		}
		this.lookAt = System.nanoTime() + LOOK_AGAIN;
		boolean there = false;
		boolean empty = true;
		boolean unseen = false;
		for (FormerQueue queue : this.policy.topology().formerQueues()) {
			SecondContainer container = this.former.get(queue.queue());
			if (container == null) {
				continue;
			}
			Optional<QueueLookup.Depth> depth = depth(container, queue.queue());
			boolean holds = this.holding.test(container);
			container.idle(depth.filter((found) -> found.ready() != 0).isEmpty() && !holds);
			there |= depth.isPresent();
			unseen |= depth.filter((found) -> found.ready() < 0).isPresent();
			empty &= !holds && depth.filter(QueueLookup.Depth::used).isEmpty();
			empty &= !this.pending || queue.unhandled(this.policy.topology().levels())
				.stream()
				.filter((name) -> !name.equals(queue.queue()))
				.allMatch((name) -> depth(container, name).filter((found) -> found.ready() > 0).isEmpty());
		}
		this.emptyLooks = empty ? this.emptyLooks + 1 : 0;
		if (!this.pending) {
			this.lookAt = System.nanoTime() + (there ? LOOK_LATER : LOOK_FOR_MISSING);
		}
		// a message may be on its way from a retry queue
		if (this.pending && empty && (!there || this.emptyLooks > (unseen ? UNSEEN_LOOKS : 1))) {
			if (unseen) {
				logger.warn(
						"Whether former queues %s of message policy '%s' are empty can't be seen without a permission on them, so that their messages may be handled after those of '%s'"
							.formatted(this.former.keySet(), this.policy.messageType(), this.policy.queue()));
			}
			start();
		}
	}

	private static Optional<QueueLookup.Depth> depth(SecondContainer container, String queue) {
		return QueueLookup.depth(container.getConnectionFactory(), queue);
	}

	private void start() {
		if (this.held.getAsBoolean() || !this.pending) {
			return;
		}
		logger.info("Former queues %s of message policy '%s' have nothing left: '%s' is consumed now"
			.formatted(this.former.keySet(), this.policy.messageType(), this.policy.queue()));
		ContainerStart.startOrStop(this.own, () -> true);
		if (this.held.getAsBoolean()) {
			this.own.stop();
		}
		else {
			this.pending = false;
		}
	}

}
