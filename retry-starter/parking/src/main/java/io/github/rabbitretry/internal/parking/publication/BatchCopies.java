/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.publication;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import io.github.rabbitretry.internal.handover.ConfirmedPublisher;
import io.github.rabbitretry.internal.handover.HandoverCallback;
import io.github.rabbitretry.internal.handover.OutboundMessage;
import io.github.rabbitretry.internal.handover.PublicationFailure;
import org.jspecify.annotations.Nullable;

/**
 * The copies of a batch on their way, and what became of those that came to their end.
 * None is published a second time here: the database has the message, and what is not
 * confirmed is written down and decided elsewhere. Used by one thread; the publisher's
 * threads tell.
 */
final class BatchCopies {

	private final ConfirmedPublisher publisher;

	private final Map<OutboundMessage, ClaimedItem> pending = new LinkedHashMap<>();

	private BatchResult result = BatchResult.nothing();

	/** Why the channel is of no use any more. */
	private @Nullable String trouble;

	private boolean closedByBroker;

	private boolean noRoute;

	BatchCopies(ConfirmedPublisher publisher) {
		this.publisher = publisher;
	}

	/** Forgets what was wrong with earlier copies. */
	synchronized void begin() {
		this.trouble = null;
		this.closedByBroker = false;
		this.noRoute = false;
	}

	/**
	 * Begins to publish a copy.
	 * @param item what it is of
	 * @param copy what to publish
	 * @param frameMax the connection's largest frame in bytes
	 * @return why it can never be published, or empty
	 */
	Optional<String> publish(ClaimedItem item, OutboundMessage copy, int frameMax) {
		synchronized (this) {
			this.pending.put(copy, item);
		}
		Optional<String> never = this.publisher.submit(copy, frameMax, new ConfirmCallback(item, copy));
		if (never.isPresent()) {
			synchronized (this) {
				this.pending.remove(copy);
			}
		}
		return never;
	}

	/**
	 * Waits until nothing is on its way.
	 * @param timeout how long
	 * @return {@code false} if something still is
	 */
	synchronized boolean await(Duration timeout) {
		long deadline = System.nanoTime() + timeout.toNanos();
		try {
			while (!this.pending.isEmpty()) {
				long left = (deadline - System.nanoTime()) / 1_000_000;
				if (left <= 0) {
					return false;
				}
				wait(left);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return true;
	}

	/** Whether the broker may have something of what is on its way. */
	synchronized boolean anySent() {
		return this.pending.keySet().stream().anyMatch(OutboundMessage::begun);
	}

	/**
	 * Tells what became of what was published since the last call. What is still on its
	 * way is given up.
	 */
	BatchResult take() {
		Map<OutboundMessage, ClaimedItem> left;
		synchronized (this) {
			left = new LinkedHashMap<>(this.pending);
		}
		left.forEach((copy, item) -> {
			boolean perhaps = this.publisher.withdraw(copy);
			ended(copy, (outcome) -> {
				(perhaps ? outcome.unknown() : outcome.unpublished()).add(item);
				if (perhaps && this.trouble == null) {
					this.trouble = "confirms are missing on this channel";
				}
			});
		});
		synchronized (this) {
			BatchResult taken = this.result;
			this.result = BatchResult.nothing();
			return taken;
		}
	}

	private synchronized void ended(OutboundMessage copy, Consumer<BatchResult> how) {
		if (this.pending.remove(copy) != null) {
			how.accept(this.result);
			if (this.pending.isEmpty()) {
				notifyAll();
			}
		}
	}

	/** Why the channel is of no use any more, or {@code null} if it is. */
	synchronized @Nullable String trouble() {
		return this.trouble;
	}

	/** Whether the broker closed the channel. */
	synchronized boolean closedByBroker() {
		return this.closedByBroker;
	}

	/** Whether an exchange is missing, or may not be used. */
	synchronized boolean noRoute() {
		return this.noRoute;
	}

	private synchronized void spoilt(PublicationFailure why, String text) {
		boolean said = why != PublicationFailure.LOST && why != PublicationFailure.TIMED_OUT;
		this.trouble = (why == PublicationFailure.TIMED_OUT) ? "confirms are missing on this channel"
				: "channel or connection closed" + (said ? ": " + text : "");
		this.closedByBroker |= said;
		this.noRoute |= why == PublicationFailure.NO_EXCHANGE || why == PublicationFailure.FORBIDDEN;
	}

	/** The result of one copy. */
	private final class ConfirmCallback implements HandoverCallback {

		private final ClaimedItem item;

		private final OutboundMessage copy;

		ConfirmCallback(ClaimedItem item, OutboundMessage copy) {
			this.item = item;
			this.copy = copy;
		}

		@Override
		public void confirmed(Duration elapsed) {
			ended(this.copy, (outcome) -> outcome.published().add(this.item));
		}

		@Override
		public boolean failed(PublicationFailure why, String text) {
			switch (why) {
				case UNSENT -> {
					// the next channel will do
					return true;
				}
				case RETURNED -> ended(this.copy, (outcome) -> outcome.returned().add(this.item));
				case REFUSED -> ended(this.copy, (outcome) -> outcome.unpublished().add(this.item));
				default -> {
					spoilt(why, text);
					ended(this.copy, (outcome) -> closed(outcome, why, text));
				}
			}
			return false;
		}

		/**
		 * Where the broker closed the channel because of this very copy, it has it not.
		 */
		private void closed(BatchResult outcome, PublicationFailure why, String text) {
			if (!this.copy.blamed()) {
				outcome.unknown().add(this.item);
			}
			else if (why == PublicationFailure.SUSPECT) {
				outcome.failed().put(this.item, "the broker refuses it: " + text);
			}
			else {
				outcome.returned().add(this.item);
			}
		}

		@Override
		public void abandoned() {
			ended(this.copy,
					(outcome) -> (this.copy.begun() ? outcome.unknown() : outcome.unpublished()).add(this.item));
		}

	}

}
