/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.container;

import java.util.function.BooleanSupplier;

import io.github.rabbitretry.internal.acknowledgement.DeliveryChannel;

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
			try {
				hold(() -> this.closed && container.isActive() && channel.worthWaiting());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * Holds a thread, even one that is interrupted, as a handler may leave it behind: a
	 * delivery that was let go too early would be handled by no thread.
	 * @param held asked now and then
	 */
	void holdWhile(BooleanSupplier held) {
		boolean interrupted = Thread.interrupted();
		boolean over = false;
		while (!over) {
			try {
				hold(held);
				over = true;
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/** Its container does not say when it stops, and so is asked. */
	private synchronized void hold(BooleanSupplier held) throws InterruptedException {
		while (held.getAsBoolean()) {
			wait(LOOK_AGAIN);
		}
	}

}
