/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.connection.BrokerText;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Publishes a publisher's copies for one exchange, on a channel of its own: what the
 * broker closes a channel for, such as a missing exchange, fails all copies on it.
 * <p>
 * Many copies are on their way at once, unless the broker gives a reason to publish one
 * at a time. Where the exchange is missing or forbidden, one is tried now and then, and
 * all others wait until one is accepted. Those that were on a channel when the broker
 * closed it because of one of them are isolated: each is alone on the reopened channel
 * until it is confirmed, or for a second, by turns with all the others, until the one
 * that is refused is found.
 */
final class ExchangePublisher implements ConfirmChannel.Outcome {

	private static final Log logger = LogFactory.getLog(ExchangePublisher.class);

	private final String exchange;

	private final boolean cautious;

	private final PublisherConnection connection;

	private final ConfirmedPublisher publisher;

	private final Runnable wakeUp;

	private final RepublishQueue waiting = new RepublishQueue();

	private final ReopeningChannel channel;

	private final Map<PublicationFailure, RateLimitedLog> warnings = new ConcurrentHashMap<>();

	/** When a channel was given up, or 0: what is confirmed late on it does not count. */
	private volatile long stalledAt;

	/** Whether something was accepted since the channel was opened. */
	private volatile boolean accepted;

	/** Whether the exchange is missing or forbidden. */
	private volatile boolean refused;

	/** Whether copies are published one at a time for now. */
	private volatile boolean oneAtATime;

	/** Whether the last copy was isolated, so that others are published next. */
	private boolean othersNext;

	private volatile String brokerText = "";

	/**
	 * Creates the publisher.
	 * @param exchange the exchange
	 * @param cautious whether one copy is tried first on every channel
	 * @param connection where to publish
	 * @param executor opens and closes channels
	 * @param publisher is notified of publications
	 * @param wakeUp has {@link #tick} called soon
	 */
	ExchangePublisher(String exchange, boolean cautious, PublisherConnection connection, Executor executor,
			ConfirmedPublisher publisher, Runnable wakeUp) {
		this.exchange = exchange;
		this.cautious = cautious;
		this.connection = connection;
		this.publisher = publisher;
		this.wakeUp = wakeUp;
		this.channel = new ReopeningChannel(connection, executor, this, wakeUp);
	}

	/**
	 * Publishes, if that is possible at once.
	 * @param message what
	 * @return {@code false} if it has to wait
	 */
	boolean publish(OutboundMessage message) {
		return !this.oneAtATime && !triesOne() && publishWithOthers(message);
	}

	private boolean triesOne() {
		return !this.accepted && (this.cautious || this.refused);
	}

	private boolean publishWithOthers(OutboundMessage message) {
		ConfirmChannel current = this.channel.usable();
		if (current == null) {
			return false;
		}
		if (message.body().length > this.connection.largestBody()) {
			message.isolate();
		}
		if (message.isolated()) {
			return false;
		}
		publish(message, current);
		return true;
	}

	private void publish(OutboundMessage message, ConfirmChannel current) {
		int number = message.publish();
		if (number < 0) {
			return;
		}
		ConfirmChannel.Publication publication = new ConfirmChannel.Publication(message, number);
		try {
			PublicationFailure unpublished = current.publish(publication);
			if (unpublished != null) {
				failed(publication, unpublished);
			}
		}
		catch (Throwable ex) {
			// it is in no queue, and would be held for good
			failed(publication, PublicationFailure.LOST);
			throw ex;
		}
	}

	/** Publishes nothing more on a channel whose confirms are no longer awaited. */
	void giveUpChannel() {
		this.stalledAt = System.nanoTime();
		this.accepted = false;
		this.channel.abandon();
	}

	/**
	 * Does what is due: gives up a channel that confirms nothing, and publishes what
	 * waits, on a new channel if need be.
	 * @param confirmTimeout how long a confirm may take
	 */
	void tick(Duration confirmTimeout) {
		giveUpIfLate(confirmTimeout);
		if (this.accepted && (this.refused || this.stalledAt != 0)) {
			recovered();
		}
		ConfirmChannel open = this.channel.usable();
		this.oneAtATime = triesOne() || this.waiting.hasIsolatedDue() || (open != null && open.exclusive());
		if (!this.waiting.hasDue()) {
			return;
		}
		ConfirmChannel current = this.channel.usableOrOpening();
		if (current == null) {
			return;
		}
		if (this.oneAtATime) {
			publishOne(current);
		}
		else {
			publishAll();
		}
	}

	/**
	 * Nothing is published on a channel any more that has not confirmed in time: a broker
	 * that stands still would get copy after copy, and take them all when it goes on.
	 * During an alarm no confirm is late.
	 */
	private void giveUpIfLate(Duration confirmTimeout) {
		long late = System.nanoTime() - confirmTimeout.toNanos();
		if (this.connection.unblockedAt() - late >= 0) {
			return;
		}
		if (this.channel.openingSinceBefore(late)) {
			this.connection.stalled(confirmTimeout);
		}
		ConfirmChannel current = this.channel.usable();
		if (current == null || !current.hasPublishedBefore(late)) {
			return;
		}
		giveUpChannel();
		this.connection.stalled(confirmTimeout);
		current.unconfirmed().forEach((publication) -> failed(publication, PublicationFailure.TIMED_OUT));
	}

	/** Something was accepted again: the others need not wait longer. */
	private void recovered() {
		if (this.refused) {
			logger.info("The broker accepts copies for exchange '%s' again".formatted(this.exchange));
		}
		this.refused = false;
		this.stalledAt = 0;
		this.waiting.dueNow();
	}

	private void publishAll() {
		OutboundMessage due = this.waiting.poll();
		while (due != null) {
			// what became stale while others were published is given up at the next tick
			if (!due.wanted() || !publishWithOthers(due)) {
				this.waiting.add(due);
				if (!due.isolated()) {
					return;
				}
			}
			due = this.waiting.poll();
		}
	}

	/** One that is tried is confirmed first, and any other at least not refused. */
	private boolean mayPublishOne(ConfirmChannel current) {
		return triesOne() ? current.idle() : current.quiet();
	}

	private void publishOne(ConfirmChannel current) {
		if (this.othersNext && current.quiet() && !triesOne()) {
			this.othersNext = false;
			publishAll();
		}
		OutboundMessage next = mayPublishOne(current) ? this.waiting.pollAny() : null;
		if (next != null && !next.wanted()) {
			this.waiting.add(next);
		}
		else if (next != null) {
			this.othersNext = next.isolated();
			publish(next, current);
		}
	}

	private void publishNext() {
		ConfirmChannel current = this.channel.usable();
		if (this.oneAtATime && (current == null || mayPublishOne(current))) {
			this.wakeUp.run();
		}
	}

	@Override
	public void confirmed(List<ConfirmChannel.Publication> publications) {
		publications.forEach(this::accepted);
		this.publisher.confirmed(publications);
		publishNext();
	}

	@Override
	public void failed(ConfirmChannel.Publication publication, PublicationFailure why) {
		if (why.accepted()) {
			accepted(publication);
		}
		this.publisher.failed(publication, why, this.brokerText);
		publishNext();
	}

	private void accepted(ConfirmChannel.Publication publication) {
		this.connection.confirmed();
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
		this.brokerText = text;
		if (why == PublicationFailure.SUSPECT) {
			// only the copy that it was closed for has to wait
			this.connection.refused(text);
			this.channel.worked();
		}
		if (why.ofTheExchange()) {
			this.refused = true;
		}
		this.warnings.computeIfAbsent(why, (any) -> new RateLimitedLog(logger, Duration.ofSeconds(30)))
			.warn(() -> "The channel that publishes to exchange '%s' was closed: %s".formatted(this.exchange, text));
	}

	/**
	 * What the broker said when it closed a channel to the exchange last.
	 * @return its text, empty if it did not
	 */
	String brokerText() {
		return this.brokerText;
	}

	/**
	 * Whether the broker has not answered for a while to the wish for a channel.
	 * @return {@code true} if it is stopped, cut off, or blocks the connection
	 */
	boolean unanswered() {
		return this.channel.unanswered();
	}

	/**
	 * What waits to be published.
	 * @return the messages
	 */
	RepublishQueue waiting() {
		return this.waiting;
	}

	/**
	 * Ends the channel. Under an alarm the broker would not answer to that.
	 */
	void close() {
		this.channel.close();
	}

}
