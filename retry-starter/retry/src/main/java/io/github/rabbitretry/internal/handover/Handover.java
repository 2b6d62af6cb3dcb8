/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.time.Duration;
import java.util.concurrent.Delayed;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

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

	/** For a copy that the broker refused when it was alone. */
	private static final long FIRST_BACKOFF_ALONE = TimeUnit.SECONDS.toNanos(30);

	/** For copies that are refused alone, or not confirmed. */
	private static final long LONGEST_BACKOFF = TimeUnit.MINUTES.toNanos(10);

	private final long id;

	private final OutboundMessage copy;

	private final Acknowledgement acknowledgement;

	private final HandoverCallback callback;

	private final long startedAt = System.nanoTime();

	private State state = State.WAITING;

	private int publications;

	private long backoff = FIRST_BACKOFF;

	private int refusals;

	private int timeouts;

	private volatile boolean suspect;

	private volatile @Nullable PublicationFailure lastFailure;

	private volatile long dueAt = this.startedAt;

	Handover(long id, OutboundMessage copy, Acknowledgement acknowledgement, HandoverCallback callback) {
		this.id = id;
		this.copy = copy;
		this.acknowledgement = acknowledgement;
		this.callback = callback;
	}

	long id() {
		return this.id;
	}

	OutboundMessage copy() {
		return this.copy;
	}

	Acknowledgement acknowledgement() {
		return this.acknowledgement;
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
	 * @param why why it failed
	 * @param confirmTimeout how long a confirm was waited for
	 * @return {@code false} if it is not the last one, or if the hand-over is settled
	 */
	synchronized boolean failed(int publication, PublicationFailure why, Duration confirmTimeout) {
		if (this.state != State.PUBLISHED || publication != this.publications) {
			return false;
		}
		this.state = State.WAITING;
		this.lastFailure = why;
		this.dueAt = System.nanoTime() + delay(why, confirmTimeout.toNanos());
		return true;
	}

	private long delay(PublicationFailure why, long confirmTimeout) {
		if (why == PublicationFailure.TIMED_OUT) {
			return Math.max(grown(), grown(confirmTimeout, this.timeouts++));
		}
		if (this.suspect && why.ofTheExchange()) {
			this.refusals++;
			return grown();
		}
		if (this.suspect && why == PublicationFailure.SUSPECT) {
			long delay = grown(FIRST_BACKOFF_ALONE, this.refusals++);
			return (long) (delay * ThreadLocalRandom.current().nextDouble(0.75, 1.25));
		}
		if (why == PublicationFailure.SUSPECT) {
			this.suspect = true;
			return 0;
		}
		boolean accepted = why == PublicationFailure.RETURNED || why == PublicationFailure.REFUSED;
		if (accepted && this.refusals == 0) {
			this.suspect = false;
		}
		return grown();
	}

	private long grown() {
		long delay = this.backoff;
		this.backoff = Math.min(2 * this.backoff, LAST_BACKOFF);
		return delay;
	}

	private static long grown(long first, int times) {
		return Math.min(first << Math.min(times, 16), Math.max(first, LONGEST_BACKOFF));
	}

	/**
	 * Has the copy published alone, on a channel where it can harm no other.
	 */
	synchronized void singleOut() {
		this.suspect = true;
	}

	/**
	 * Whether the copy is published alone.
	 * @return {@code true} if the broker closed a channel that it was on
	 */
	boolean suspect() {
		return this.suspect;
	}

	/**
	 * How often the broker refused the copy when it was alone.
	 * @return the number
	 */
	synchronized int refusals() {
		return this.refusals;
	}

	/**
	 * Why the last publication failed.
	 * @return why, or {@code null} if none failed
	 */
	@Nullable PublicationFailure lastFailure() {
		return this.lastFailure;
	}

	/**
	 * Ends the wait. Not while it is in a queue that is ordered by it.
	 */
	void dueNow() {
		this.dueAt = System.nanoTime();
	}

	/**
	 * Whether a publication failed and the next one has not begun.
	 * @return {@code true} if it is in a queue
	 */
	synchronized boolean waitsAfterFailure() {
		return this.state == State.WAITING && this.lastFailure != null;
	}

	/**
	 * Whether the copy is neither published nor needed no more.
	 * @return {@code true} if it has to be in a queue
	 */
	synchronized boolean unpublished() {
		return this.state == State.WAITING;
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
