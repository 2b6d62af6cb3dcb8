/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.handover;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Publishes a lane's copies for one exchange, on a channel of its own. A missing exchange
 * closes the channel, and the confirms of all copies on it are lost: while the ring is
 * away, parking would go wrong too, and each try would leave duplicates.
 */
final class ExchangePublisher {

	private static final long RECONNECT = TimeUnit.MILLISECONDS.toNanos(500);

	private final PublisherLink link;

	private final ConfirmChannel.Outcome outcome;

	private final Consumer<Exception> unreachable;

	private final DelayQueue<Handover> waiting = new DelayQueue<>();

	private volatile @Nullable ConfirmChannel channel;

	private long connectAt = System.nanoTime();

	ExchangePublisher(PublisherLink link, ConfirmChannel.Outcome outcome, Consumer<Exception> unreachable) {
		this.link = link;
		this.outcome = outcome;
		this.unreachable = unreachable;
	}

	/**
	 * Publishes, if that is possible at once.
	 * @param handover whose copy
	 * @return {@code false} if the copy has to wait
	 */
	boolean publish(Handover handover) {
		ConfirmChannel current = this.channel;
		if (current == null || !current.isOpen() || this.link.blocked()) {
			return false;
		}
		int number = handover.publish();
		if (number < 0 || current.publish(new Publication(handover, number))) {
			return true;
		}
		return !handover.failed(number);
	}

	/**
	 * Has a copy wait until it is due.
	 * @param handover whose copy
	 */
	void later(Handover handover) {
		this.waiting.add(handover);
	}

	/**
	 * Finds publications that should have been confirmed by now.
	 * @param confirmTimeout how long a confirm may take
	 */
	void findLate(Duration confirmTimeout) {
		ConfirmChannel current = this.channel;
		long late = System.nanoTime() - confirmTimeout.toNanos();
		if (current != null && current.isOpen() && this.link.unblockedAt() - late < 0) {
			current.forEachPublishedBefore(late,
					(publication) -> this.outcome.failed(publication, PublicationFailure.TIMED_OUT));
		}
	}

	/**
	 * Publishes what is due, on a new channel if need be.
	 * @param abandon takes what is not to be published any more
	 */
	void publishDue(Consumer<Handover> abandon) {
		Handover due = this.waiting.poll();
		while (due != null) {
			if (!due.original().open()) {
				abandon.accept(due);
			}
			else if (!connected() || !publish(due)) {
				this.waiting.add(due);
				return;
			}
			due = this.waiting.poll();
		}
	}

	private boolean connected() {
		ConfirmChannel current = this.channel;
		if (current != null && current.isOpen()) {
			return true;
		}
		if (this.connectAt - System.nanoTime() > 0) {
			return false;
		}
		this.connectAt = System.nanoTime() + RECONNECT;
		try {
			if (current != null) {
				current.abort();
			}
			this.channel = ConfirmChannel.open(this.link.connection(), this.outcome);
			return true;
		}
		catch (IOException | RuntimeException ex) {
			// of any kind: connection listeners of the application run in there too
			this.unreachable.accept(ex);
			return false;
		}
	}

	/**
	 * Ends the channel. Under an alarm the broker would not answer to that.
	 */
	void close() {
		ConfirmChannel current = this.channel;
		if (current != null && !this.link.blocked()) {
			current.abort();
		}
	}

	/**
	 * Gives up on what waits.
	 * @param abandon takes it
	 */
	void abandonAll(Consumer<Handover> abandon) {
		Handover next = this.waiting.peek();
		while (next != null && this.waiting.remove(next)) {
			abandon.accept(next);
			next = this.waiting.peek();
		}
	}

}
