/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.connection.BrokerText;

/**
 * Publishes a publisher's copies for one exchange, on a channel of its own. A missing
 * exchange closes the channel, and the confirms of all copies on it are lost: while the
 * ring is away, parking would go wrong too, and each try would leave duplicates.
 * <p>
 * Where the exchange is missing or forbidden, one copy at a time is published until one
 * is accepted, and all others wait for that.
 */
final class ExchangePublisher implements ConfirmChannel.Outcome {

	/** During an alarm no confirm is late. */
	private static final long NOT_EXPECTED = TimeUnit.DAYS.toNanos(365);

	private final PublisherConnection link;

	private final ConfirmChannel.Outcome outcome;

	private final WaitingMessages waiting = new WaitingMessages();

	private final ReopeningChannel channel;

	private final SuspectPublisher suspects;

	private final RefusedExchange exchange;

	/** When confirms stopped, or 0. */
	private volatile long stalledAt;

	private volatile boolean accepted;

	ExchangePublisher(String exchange, PublisherConnection link, Executor executor, ConfirmChannel.Outcome outcome,
			Runnable wakeUp) {
		this.exchange = new RefusedExchange(exchange);
		this.link = link;
		this.outcome = outcome;
		this.channel = new ReopeningChannel(link, executor, this, wakeUp);
		this.suspects = new SuspectPublisher(link, executor, this, wakeUp);
	}

	/**
	 * Publishes, if that is possible at once.
	 * @param message what
	 * @return {@code false} if it has to wait
	 */
	boolean publish(OutboundMessage message) {
		ConfirmChannel current = this.channel.usable();
		if (current == null || this.exchange.refused()) {
			return false;
		}
		if (message.body().length > this.link.largestBody()) {
			message.singleOut();
		}
		if (message.suspect()) {
			return false;
		}
		int number = message.publish();
		if (number < 0) {
			return true;
		}
		ConfirmChannel.Publication publication = new ConfirmChannel.Publication(message, number);
		try {
			PublicationFailure unpublished = current.publish(publication);
			if (unpublished != null) {
				this.outcome.failed(publication, unpublished);
			}
			return true;
		}
		catch (Throwable ex) {
			// it is in no queue, and would be held for good
			this.outcome.failed(publication, PublicationFailure.LOST);
			throw ex;
		}
	}

	/**
	 * Has a message wait until it is due.
	 * @param message the message
	 */
	void later(OutboundMessage message) {
		(message.suspect() ? this.suspects.waiting() : this.waiting).add(message);
	}

	/**
	 * Has a message wait no longer, nor be published.
	 * @param message the message
	 */
	void forget(OutboundMessage message) {
		(message.suspect() ? this.suspects.waiting() : this.waiting).remove(message);
	}

	/** Publishes nothing more on a channel whose confirms are no longer awaited. */
	void giveUpChannel() {
		this.accepted = false;
		this.channel.abandon();
	}

	/**
	 * Does what is due: gives up a channel that confirms nothing, and publishes what
	 * waits, on a new channel if need be.
	 * @param confirmTimeout how long a confirm may take
	 */
	void tick(Duration confirmTimeout) {
		long late = System.nanoTime() - confirmTimeout.toNanos();
		boolean expected = this.link.unblockedAt() - late < 0;
		if (expected) {
			abandonIfLate(late, confirmTimeout);
		}
		endStall();
		if (this.exchange.refused() && this.accepted) {
			endRefusal();
		}
		if (!this.exchange.refused()) {
			publishDue();
		}
		if (!this.exchange.refused() || !this.suspects.idle() || mayProbe()) {
			this.suspects.publishNext(expected ? late : late - NOT_EXPECTED);
		}
	}

	private void publishDue() {
		OutboundMessage due = this.waiting.poll();
		while (due != null) {
			boolean more = false;
			try {
				more = publishOrWait(due);
			}
			catch (Throwable ex) {
				// what is in no queue would be held for good
				if (due.unpublished() && waiting().noneMatch(due::equals)) {
					later(due);
				}
				throw ex;
			}
			due = more ? this.waiting.poll() : null;
		}
	}

	private boolean publishOrWait(OutboundMessage due) {
		// what became stale while others were published is given up at the next tick
		if (!due.wanted() || this.channel.usableOrOpening() == null) {
			this.waiting.add(due);
			return false;
		}
		if (publish(due)) {
			return true;
		}
		later(due);
		return due.suspect();
	}

	/**
	 * Nothing is published on a channel any more that has not confirmed in time: a broker
	 * that stands still would get copy after copy, and take them all when it goes on.
	 */
	private void abandonIfLate(long late, Duration confirmTimeout) {
		if (this.channel.openingSinceBefore(late)) {
			this.link.stalled(confirmTimeout);
		}
		ConfirmChannel current = this.channel.usable();
		if (current == null || !current.hasPublishedBefore(late)) {
			return;
		}
		this.stalledAt = System.nanoTime();
		giveUpChannel();
		this.link.stalled(confirmTimeout);
		current.forEachPublishedBefore(System.nanoTime(),
				(publication) -> this.outcome.failed(publication, PublicationFailure.TIMED_OUT));
	}

	/**
	 * What was published since the stall is confirmed: the others need not wait longer.
	 */
	private void endStall() {
		if (this.stalledAt != 0 && this.accepted) {
			this.stalledAt = 0;
			this.waiting.dueNow((message) -> message.lastFailure() == PublicationFailure.TIMED_OUT);
		}
	}

	private void endRefusal() {
		this.exchange.accepted();
		this.channel.worked();
		this.suspects.waiting().dueNow((message) -> message.lastFailure() != PublicationFailure.SUSPECT);
		this.waiting.dueNow((message) -> true);
	}

	/** One copy, now and then, until one is accepted. */
	private boolean mayProbe() {
		if (!this.exchange.mayProbe()) {
			return false;
		}
		if (!this.suspects.waiting().hasDue()) {
			OutboundMessage next = this.waiting.poll();
			if (next == null) {
				return false;
			}
			next.singleOut();
			this.suspects.waiting().add(next);
		}
		this.exchange.probed();
		return true;
	}

	@Override
	public void confirmed(List<ConfirmChannel.Publication> publications) {
		publications.forEach(this::accepted);
		this.outcome.confirmed(publications);
	}

	@Override
	public void failed(ConfirmChannel.Publication publication, PublicationFailure why) {
		if (why.accepted()) {
			accepted(publication);
		}
		this.outcome.failed(publication, why);
	}

	private void accepted(ConfirmChannel.Publication publication) {
		this.link.confirmed();
		long stalled = this.stalledAt;
		if (!this.accepted && (stalled == 0 || !publication.isBefore(stalled))) {
			this.accepted = true;
			this.channel.worked();
		}
	}

	@Override
	public void closed(PublicationFailure why, ShutdownSignalException cause) {
		this.accepted = false;
		if (cause.isInitiatedByApplication()) {
			return;
		}
		String text = BrokerText.of(cause);
		if (why == PublicationFailure.SUSPECT) {
			this.link.refused(text);
			this.channel.worked();
		}
		this.exchange.closed(why, text);
	}

	/**
	 * What the broker said when it closed a channel to the exchange last.
	 * @return its text, empty if it did not
	 */
	String brokerText() {
		return this.exchange.brokerText();
	}

	/**
	 * Whether the broker has not answered for a while to the wish for a channel.
	 * @return {@code true} if it is stopped, cut off, or blocks the connection
	 */
	boolean unanswered() {
		return this.channel.unanswered() || this.suspects.unanswered();
	}

	/**
	 * What waits to be published.
	 * @return the messages
	 */
	Stream<OutboundMessage> waiting() {
		return Stream.concat(this.waiting.stream(), this.suspects.waiting().stream());
	}

	/**
	 * Ends the channels. Under an alarm the broker would not answer to that.
	 */
	void close() {
		this.channel.close();
		this.suspects.close();
	}

	/**
	 * Gives up on some of what waits.
	 * @param which which of it
	 * @return what waits no more
	 */
	List<OutboundMessage> take(Predicate<OutboundMessage> which) {
		List<OutboundMessage> taken = new ArrayList<>(this.waiting.take(which));
		taken.addAll(this.suspects.waiting().take(which));
		return taken;
	}

}
