/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.github.rabbitretry.internal.connection.QueueLookup;
import io.github.rabbitretry.internal.container.ContainerStart;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;

/**
 * Starts the container of a policy that keeps messages in order once the former queues
 * are empty, so that no message of the new queue overtakes one of before. Deliveries that
 * another process holds are not seen: former queues have to stay empty for a while.
 */
final class OrderedStart {

	private static final Log logger = LogFactory.getLog(OrderedStart.class);

	private static final long LOOK_AGAIN = TimeUnit.SECONDS.toNanos(1);

	private static final long EMPTY_FOR = TimeUnit.SECONDS.toNanos(5);

	private final AbstractMessageListenerContainer own;

	private final ConnectionFactory connectionFactory;

	private final MessagePolicy policy;

	private final List<String> former;

	private final BooleanSupplier handling;

	private final BooleanSupplier held;

	private volatile boolean pending;

	private volatile long lookAt = System.nanoTime();

	private long emptySince;

	/**
	 * Keeps a container from being started with the application.
	 * @param own the container
	 * @param connectionFactory leads to the broker
	 * @param policy its policy
	 * @param handling whether this process has messages of the policy
	 * @param held whether nothing may be started now
	 */
	OrderedStart(AbstractMessageListenerContainer own, ConnectionFactory connectionFactory, MessagePolicy policy,
			BooleanSupplier handling, BooleanSupplier held) {
		this.own = own;
		this.connectionFactory = connectionFactory;
		this.policy = policy;
		this.former = policy.topology()
			.formerQueues()
			.stream()
			.flatMap((queue) -> queue.unhandled(policy.topology().levels()).stream())
			.toList();
		this.handling = handling;
		this.held = held;
		own.setAutoStartup(false);
	}

	/** To be called when containers are started. */
	void begin() {
		this.pending = !this.own.isRunning();
		this.emptySince = 0;
		if (this.pending) {
			logger.info("'%s' of message policy '%s' is consumed once %s are empty".formatted(this.policy.queue(),
					this.policy.messageType(), this.former));
		}
	}

	/** To be called when containers are stopped. */
	void cancel() {
		this.pending = false;
	}

	boolean startsLater(AbstractMessageListenerContainer container) {
		return this.pending && container == this.own;
	}

	boolean due() {
		return this.pending && System.nanoTime() - this.lookAt > 0;
	}

	/** Looks whether the former queues are empty, and starts the container if so. */
	void look() {
		this.lookAt = System.nanoTime() + LOOK_AGAIN;
		if (this.own.isRunning()) {
			// the application started it
			this.pending = false;
			return;
		}
		boolean there = false;
		boolean empty = !this.handling.getAsBoolean();
		for (String queue : this.former) {
			OptionalLong ready = QueueLookup.consumable(this.connectionFactory, queue);
			there |= ready.isPresent();
			empty &= ready.orElse(0) <= 0;
		}
		if (!empty) {
			this.emptySince = 0;
			return;
		}
		if (this.emptySince == 0) {
			this.emptySince = System.nanoTime();
		}
		if (!there || System.nanoTime() - this.emptySince > EMPTY_FOR) {
			start();
		}
	}

	private void start() {
		if (this.held.getAsBoolean() || !this.pending) {
			return;
		}
		logger.info("Former queues %s of message policy '%s' are empty: '%s' is consumed now"
			.formatted(this.policy.topology()
				.formerQueues()
				.stream()
				.map((former) -> "'%s'".formatted(former.queue()))
				.toList(), this.policy.messageType(), this.policy.queue()));
		ContainerStart.startOrStop(this.own, () -> true);
		if (this.held.getAsBoolean()) {
			this.own.stop();
		}
		else {
			this.pending = false;
		}
	}

}
