/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bounds how many copies of a publisher are on their way, and counts them.
 */
final class HandoverCapacity {

	private final Semaphore room;

	private final AtomicInteger pending = new AtomicInteger();

	private final Runnable idle;

	private volatile boolean closed;

	/**
	 * Creates the bound.
	 * @param most how many may be on their way
	 * @param idle is called when nothing is any more
	 */
	HandoverCapacity(int most, Runnable idle) {
		this.room = new Semaphore(most);
		this.idle = idle;
	}

	/**
	 * Waits for room.
	 * @param message to be published then
	 * @return {@code false} if it is not to be, and there is nothing to leave
	 */
	boolean enter(OutboundMessage message) {
		this.pending.incrementAndGet();
		boolean entered = awaitRoom(message);
		if (!entered) {
			left();
		}
		return entered;
	}

	private boolean awaitRoom(OutboundMessage message) {
		try {
			while (!this.closed && message.worthWaiting()) {
				// at first without regard to an interrupt that the handler left behind
				if (this.room.tryAcquire() || this.room.tryAcquire(100, TimeUnit.MILLISECONDS)) {
					if (!this.closed) {
						return true;
					}
					// room that the end of another hand-over made
					this.room.release();
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return false;
	}

	/** To be called once for each message that entered. */
	void leave() {
		this.room.release();
		left();
	}

	private void left() {
		if (this.pending.decrementAndGet() == 0) {
			this.idle.run();
		}
	}

	int pending() {
		return this.pending.get();
	}

	boolean closed() {
		return this.closed;
	}

	/** Nothing enters any more. */
	void close() {
		this.closed = true;
	}

}
