/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.ordering;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.github.rabbitretry.internal.acknowledgement.Acknowledgement;
import io.github.rabbitretry.internal.acknowledgement.DeliveryChannel;

/**
 * The messages that one channel holds. They go back to their queue together, when the
 * channel is closed.
 */
final class HeldMessages {

	private final DeliveryChannel deliveries;

	/** In the order of their delivery. Guarded by this. */
	private final Map<Acknowledgement, HeldMessage> messages = new LinkedHashMap<>();

	/** How many are being handled or parked. Guarded by this. */
	private int inHand;

	/** When the last one was settled, or failed. Guarded by this. */
	private long leftAt = System.nanoTime();

	/** When its end began, 0 if it did not. Guarded by this. */
	private long endingSince;

	private volatile Runnable whenClosed = () -> {
	};

	private final Set<Thread> handlers = ConcurrentHashMap.newKeySet();

	private volatile boolean ending;

	/** Whether it is closed on account of that. */
	private volatile boolean closing;

	HeldMessages(DeliveryChannel deliveries) {
		this.deliveries = deliveries;
	}

	boolean open() {
		return !this.ending && this.deliveries.open();
	}

	synchronized void add(HeldMessage message) {
		this.messages.put(message.acknowledgement(), message);
		message.among(this);
	}

	synchronized void remove(HeldMessage message) {
		this.messages.remove(message.acknowledgement());
	}

	synchronized boolean any() {
		return !this.messages.isEmpty();
	}

	synchronized Optional<HeldMessage> of(Acknowledgement acknowledgement) {
		return Optional.ofNullable(this.messages.get(acknowledgement));
	}

	/**
	 * To be called before a message is handled.
	 * @return {@code false} if it is not to be handled: the broker has it again, or will
	 * have soon
	 */
	synchronized boolean take() {
		if (!open()) {
			return false;
		}
		this.inHand++;
		return true;
	}

	/** To be called around the call of a handler. */
	void handledHere(boolean handled) {
		if (handled) {
			this.handlers.add(Thread.currentThread());
		}
		else {
			this.handlers.remove(Thread.currentThread());
		}
	}

	/** Whether this thread handles one of the messages. */
	boolean isHandledHere() {
		return this.handlers.contains(Thread.currentThread());
	}

	/** Has something run when the channel is closed. */
	void whenClosed(Runnable closed) {
		this.whenClosed = closed;
	}

	void closed() {
		this.whenClosed.run();
	}

	/** To be called when a message is settled, or waits. */
	synchronized void leave() {
		this.inHand--;
		this.leftAt = System.nanoTime();
		notifyAll();
	}

	/** Has no message handled any more. */
	synchronized void end() {
		if (!this.ending) {
			this.endingSince = System.nanoTime();
			this.ending = true;
		}
	}

	/**
	 * Waits until no message is in anybody's hands, and for a moment more: what was
	 * acknowledged just before may not be applied when the channel closes.
	 * @param deadline until when to wait, as of {@link System#nanoTime()}
	 * @param moment how long the broker needs to apply acknowledgements
	 * @throws InterruptedException if that is interrupted
	 */
	synchronized void awaitEnd(long deadline, Duration moment) throws InterruptedException {
		while (this.inHand > 0 && deadline - System.nanoTime() > 0) {
			TimeUnit.NANOSECONDS.timedWait(this, Math.max(deadline - System.nanoTime(), 1_000_000));
		}
		long rest = this.leftAt + moment.toNanos();
		while (rest - System.nanoTime() > 0 && this.deliveries.open()) {
			TimeUnit.NANOSECONDS.timedWait(this, Math.max(rest - System.nanoTime(), 1_000_000));
		}
	}

	/**
	 * Whether its end began, and nothing is left to wait for.
	 * @return {@code true} until it is {@link #closing()}
	 */
	synchronized boolean endsNow(Duration patience, Duration moment) {
		long now = System.nanoTime();
		return this.ending && !this.closing && ((this.inHand == 0 && now - this.leftAt > moment.toNanos())
				|| now - this.endingSince > patience.toNanos());
	}

	/** To be called once its channel is being closed. */
	void closing() {
		this.closing = true;
	}

	/** How long the oldest message has been held. */
	synchronized Duration longest() {
		Iterator<HeldMessage> oldest = this.messages.values().iterator();
		return oldest.hasNext() ? Duration.ofNanos(System.nanoTime() - oldest.next().since()) : Duration.ZERO;
	}

}
