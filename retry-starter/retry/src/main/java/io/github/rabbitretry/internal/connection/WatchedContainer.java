/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.BlockingQueueConsumer;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.util.ReflectionUtils;

/**
 * A container, started again when an error left it without consumers.
 */
final class WatchedContainer {

	/** Looks in a row that find the same consumers dead, before they count as dead. */
	private static final int LOOKS = 10;

	private final AbstractMessageListenerContainer container;

	private volatile boolean failed;

	private Set<Object> dead = Set.of();

	private int looks;

	WatchedContainer(AbstractMessageListenerContainer container) {
		this.container = container;
	}

	String name() {
		return String.valueOf(this.container.getListenerId());
	}

	/** An error ended one of its threads, upon which it stops. */
	void failed() {
		this.failed = true;
	}

	/**
	 * Whether it consumes nothing although it should.
	 * @return {@code true} if it is to be started again
	 */
	boolean needsStart() {
		if (this.failed) {
			return failedAndStopped();
		}
		Set<Object> now = this.container.isRunning() ? deadConsumers() : Set.of();
		this.looks = (!now.isEmpty() && now.equals(this.dead)) ? this.looks + 1 : 0;
		this.dead = now;
		return this.looks >= LOOKS;
	}

	/** It stops a moment after the error, unless somebody has started it again. */
	private boolean failedAndStopped() {
		if (!this.container.isRunning()) {
			return true;
		}
		if (++this.looks >= LOOKS) {
			this.failed = false;
			this.looks = 0;
		}
		return false;
	}

	void startAgain() {
		if (this.container.isRunning()) {
			this.container.stop();
		}
		ConsumersToRestart.forget(this.container);
		this.container.start();
		this.failed = false;
		this.looks = 0;
	}

	boolean recovered() {
		return !this.failed && this.dead.isEmpty();
	}

	/** Nobody told them that their channel or its connection is closed. */
	private Set<Object> deadConsumers() {
		List<Object> dead = new ArrayList<>();
		for (Object consumer : consumers()) {
			Channel channel = channel(consumer);
			if (channel != null && (!channel.isOpen() || !channel.getConnection().isOpen())) {
				dead.add(consumer);
			}
		}
		return Set.copyOf(dead);
	}

	private static @Nullable Channel channel(Object consumer) {
		if (consumer instanceof BlockingQueueConsumer simple) {
			return simple.getChannel();
		}
		return (consumer instanceof DefaultConsumer direct) ? direct.getChannel() : null;
	}

	private Collection<?> consumers() {
		Class<?> type = (this.container instanceof DirectMessageListenerContainer)
				? DirectMessageListenerContainer.class : SimpleMessageListenerContainer.class;
		Field field = ReflectionUtils.findField(type, "consumers");
		if (field == null || !type.isInstance(this.container)) {
			return List.of();
		}
		ReflectionUtils.makeAccessible(field);
		return (ReflectionUtils.getField(field, this.container) instanceof Collection<?> consumers)
				? List.copyOf(consumers) : List.of();
	}

}
