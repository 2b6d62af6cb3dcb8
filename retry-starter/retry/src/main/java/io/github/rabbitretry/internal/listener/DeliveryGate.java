/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.github.rabbitretry.internal.handover.DeliveryChannel;

import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;

/**
 * Holds new deliveries back for the moment in which a stopping container waits for the
 * copies on their way: a container that stops closes its channels, and an original whose
 * copy is confirmed later would be delivered again.
 */
final class DeliveryGate {

	private volatile boolean closed;

	void close() {
		this.closed = true;
	}

	void open() {
		this.closed = false;
	}

	boolean isClosed() {
		return this.closed;
	}

	void pass(AbstractMessageListenerContainer container, DeliveryChannel channel) {
		while (this.closed && container.isActive() && channel.worthWaiting()
				&& !Thread.currentThread().isInterrupted()) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
		}
	}

}
