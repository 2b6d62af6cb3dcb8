/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.handover;

import java.time.Duration;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/**
 * One copy on its way: waiting to be published, published, or settled. Publications are
 * numbered, so that what is learnt late about an earlier one does not disturb a later.
 */
final class Handover implements Delayed {

	private enum State {

		WAITING, PUBLISHED, SETTLED

	}

	private static final long FIRST_BACKOFF = TimeUnit.MILLISECONDS.toNanos(100);

	private static final long LAST_BACKOFF = TimeUnit.SECONDS.toNanos(5);

	private final long id;

	private final Copy copy;

	private final Original original;

	private final HandoverCallback callback;

	private final long startedAt = System.nanoTime();

	private State state = State.WAITING;

	private int publications;

	private long backoff = FIRST_BACKOFF;

	private volatile long dueAt = this.startedAt;

	Handover(long id, Copy copy, Original original, HandoverCallback callback) {
		this.id = id;
		this.copy = copy;
		this.original = original;
		this.callback = callback;
	}

	long id() {
		return this.id;
	}

	Copy copy() {
		return this.copy;
	}

	Original original() {
		return this.original;
	}

	HandoverCallback callback() {
		return this.callback;
	}

	/**
	 * Begins a publication.
	 * @return its number, or -1 if there is nothing to publish any more
	 */
	synchronized int publish() {
		if (this.state == State.SETTLED) {
			return -1;
		}
		this.state = State.PUBLISHED;
		return ++this.publications;
	}

	/**
	 * A publication failed: waits for the next one, longer each time.
	 * @param publication its number
	 * @return {@code false} if it is not the last one, or if the hand-over is settled
	 */
	synchronized boolean failed(int publication) {
		if (this.state != State.PUBLISHED || publication != this.publications) {
			return false;
		}
		this.state = State.WAITING;
		this.dueAt = System.nanoTime() + this.backoff;
		this.backoff = Math.min(2 * this.backoff, LAST_BACKOFF);
		return true;
	}

	/**
	 * Settles the hand-over.
	 * @return {@code false} if it was settled before
	 */
	synchronized boolean settle() {
		if (this.state == State.SETTLED) {
			return false;
		}
		this.state = State.SETTLED;
		return true;
	}

	Duration elapsed() {
		return Duration.ofNanos(System.nanoTime() - this.startedAt);
	}

	@Override
	public long getDelay(TimeUnit unit) {
		return unit.convert(this.dueAt - System.nanoTime(), TimeUnit.NANOSECONDS);
	}

	@Override
	public int compareTo(Delayed other) {
		return Long.compare(this.dueAt - ((Handover) other).dueAt, 0);
	}

}
