/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.util.function.BooleanSupplier;

import io.github.rabbitretry.internal.handover.DeliveryChannel;

import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;

/**
 * Holds new deliveries back for the moment in which a stopping container waits for the
 * copies on their way: a container that stops closes its channels, and an original whose
 * copy is confirmed later would be delivered again.
 */
final class DeliveryGate {

	private static final long LOOK_AGAIN = 5;

	private volatile boolean closed;

	void close() {
		this.closed = true;
	}

	synchronized void open() {
		this.closed = false;
		notifyAll();
	}

	boolean isClosed() {
		return this.closed;
	}

	void pass(AbstractMessageListenerContainer container, DeliveryChannel channel) {
		// without a lock or a look at anything else as long as nothing stops
		if (this.closed) {
			holdWhile(() -> this.closed && container.isActive() && channel.worthWaiting());
		}
	}

	/**
	 * Holds a thread. Its container does not say when it stops, and so is asked.
	 * @param held asked now and then
	 */
	synchronized void holdWhile(BooleanSupplier held) {
		try {
			while (held.getAsBoolean()) {
				wait(LOOK_AGAIN);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
