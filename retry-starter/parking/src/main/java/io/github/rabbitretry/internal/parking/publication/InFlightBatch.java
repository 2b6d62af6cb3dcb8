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
 * The copies of a batch on their way, and what became of them. The publisher isolates
 * what was on a channel that the broker closed for one of them. Nothing else is published
 * a second time here: the database has the message, and what is not confirmed is written
 * down and decided elsewhere. Used by one thread, and notified by the publisher's.
 */
final class InFlightBatch {

	/** A bound of bytes that not even a copy without a body keeps. */
	static final long NOTHING = -1;

	private static final String UNCONFIRMED = "confirms are missing on this channel";

	private final ConfirmedPublisher publisher;

	private final Map<OutboundMessage, ClaimedItem> pending = new LinkedHashMap<>();

	private final BatchResult result = BatchResult.nothing();

	/** How many bytes may be on their way when a wait ends. */
	private long awaited = NOTHING;

	private @Nullable String channelFailed;

	private boolean noRoute;

	InFlightBatch(ConfirmedPublisher publisher) {
		this.publisher = publisher;
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
		Optional<String> never = this.publisher.submit(copy, frameMax, new CopyCallback(item, copy));
		if (never.isPresent()) {
			synchronized (this) {
				this.pending.remove(copy);
			}
		}
		return never;
	}

	/**
	 * Waits until no more is on its way. Where a channel failed, what was never sent need
	 * not be waited for.
	 * @param bytes how many bytes of bodies may be, or {@link #NOTHING}
	 * @param timeout how long
	 * @return {@code false} if more still is
	 */
	synchronized boolean await(long bytes, Duration timeout) {
		this.awaited = bytes;
		long deadline = System.nanoTime() + timeout.toNanos();
		try {
			while (!complete()) {
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

	private boolean complete() {
		return this.pending.isEmpty() || bytes() <= this.awaited || (this.channelFailed != null && !anySent());
	}

	private long bytes() {
		return this.pending.keySet().stream().mapToLong((copy) -> copy.body().length).sum();
	}

	/** Whether the broker may have something of what is on its way. */
	synchronized boolean anySent() {
		return this.pending.keySet().stream().anyMatch(OutboundMessage::begun);
	}

	/**
	 * Ends the batch. What is still on its way is given up.
	 * @return what became of it
	 */
	BatchResult end() {
		Map<OutboundMessage, ClaimedItem> left;
		synchronized (this) {
			left = new LinkedHashMap<>(this.pending);
		}
		left.forEach((copy, item) -> {
			boolean perhaps = this.publisher.withdraw(copy);
			ended(copy, (outcome) -> {
				(perhaps ? outcome.unknown() : outcome.unpublished()).add(item);
				if (perhaps && this.channelFailed == null) {
					this.channelFailed = UNCONFIRMED;
				}
			});
		});
		return this.result;
	}

	private synchronized void ended(OutboundMessage copy, Consumer<BatchResult> how) {
		if (this.pending.remove(copy) != null) {
			how.accept(this.result);
			if (complete()) {
				notifyAll();
			}
		}
	}

	/** Why a channel is of no use any more, or {@code null} if none failed. */
	synchronized @Nullable String channelFailed() {
		return this.channelFailed;
	}

	/** Whether an exchange is missing, or may not be used. */
	synchronized boolean noRoute() {
		return this.noRoute;
	}

	private synchronized void channelFailed(PublicationFailure why, String text) {
		boolean said = why != PublicationFailure.LOST && why != PublicationFailure.TIMED_OUT;
		this.channelFailed = (why == PublicationFailure.TIMED_OUT) ? UNCONFIRMED
				: "channel or connection closed" + (said ? ": " + text : "");
		this.noRoute |= why == PublicationFailure.NO_EXCHANGE || why == PublicationFailure.FORBIDDEN;
	}

	/** The result of one copy. */
	private final class CopyCallback implements HandoverCallback {

		private final ClaimedItem item;

		private final OutboundMessage copy;

		/** Whether the broker may have it of an earlier publication. */
		private boolean perhaps;

		CopyCallback(ClaimedItem item, OutboundMessage copy) {
			this.item = item;
			this.copy = copy;
		}

		@Override
		public void confirmed(Duration elapsed) {
			ended(this.copy, (outcome) -> outcome.published().add(this.item));
		}

		@Override
		public boolean failed(PublicationFailure why, String text) {
			boolean isolated = why == PublicationFailure.SUSPECT && !this.copy.rejected() && !this.perhaps;
			this.perhaps |= isolated;
			if (isolated || why == PublicationFailure.UNSENT) {
				return true;
			}
			if (why == PublicationFailure.SUSPECT && this.copy.rejected()) {
				ended(this.copy, (outcome) -> outcome.failed().put(this.item, "the broker refuses it: " + text));
				return false;
			}
			boolean refused = why == PublicationFailure.RETURNED || why == PublicationFailure.REFUSED;
			if (!refused) {
				channelFailed(why, text);
			}
			// where the channel was closed because of this very copy, the broker has it
			// not
			boolean unpublished = !this.perhaps && (refused || this.copy.rejected());
			ended(this.copy,
					(outcome) -> (!unpublished ? outcome.unknown()
							: (why == PublicationFailure.REFUSED) ? outcome.unpublished() : outcome.returned())
						.add(this.item));
			return false;
		}

		@Override
		public void abandoned() {
			ended(this.copy,
					(outcome) -> (this.copy.begun() ? outcome.unknown() : outcome.unpublished()).add(this.item));
		}

	}

}
