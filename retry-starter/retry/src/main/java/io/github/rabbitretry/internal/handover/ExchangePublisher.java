/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.event.OccasionalWarning;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Publishes a publisher's copies for one exchange, on a channel of its own. A missing
 * exchange closes the channel, and the confirms of all copies on it are lost: while the
 * ring is away, parking would go wrong too, and each try would leave duplicates.
 * <p>
 * Where the exchange is missing or forbidden, one copy at a time is published until one
 * is accepted, and all others wait for that.
 */
final class ExchangePublisher implements ConfirmChannel.Outcome {

	private static final Log logger = LogFactory.getLog(ExchangePublisher.class);

	/** During an alarm no confirm is late. */
	private static final long NOT_EXPECTED = TimeUnit.DAYS.toNanos(365);

	private final String exchange;

	private final PublisherConnection link;

	private final ConfirmChannel.Outcome outcome;

	private final DelayQueue<Handover> waiting = new DelayQueue<>();

	private final ReopeningChannel channel;

	private final SuspectPublisher suspects;

	private final ReconnectBackoff probing = new ReconnectBackoff(Duration.ofMillis(500), Duration.ofSeconds(10));

	private final Map<PublicationFailure, OccasionalWarning> warnings = new EnumMap<>(PublicationFailure.class);

	/** Why the broker accepts nothing for the exchange. */
	private volatile @Nullable String refusal;

	private volatile String brokerText = "";

	/** When confirms stopped, or 0. */
	private volatile long stalledAt;

	private volatile boolean accepted;

	ExchangePublisher(String exchange, PublisherConnection link, Executor executor, ConfirmChannel.Outcome outcome,
			Runnable wakeUp) {
		this.exchange = exchange;
		this.link = link;
		this.outcome = outcome;
		this.channel = new ReopeningChannel(link, executor, this, wakeUp);
		this.suspects = new SuspectPublisher(link, executor, this, wakeUp);
		for (PublicationFailure why : PublicationFailure.values()) {
			this.warnings.put(why, new OccasionalWarning(logger, Duration.ofSeconds(30)));
		}
	}

	/**
	 * Publishes, if that is possible at once.
	 * @param handover whose copy
	 * @return {@code false} if the copy has to wait
	 */
	boolean publish(Handover handover) {
		ConfirmChannel current = this.channel.usable();
		if (current == null || this.refusal != null) {
			return false;
		}
		if (handover.copy().body().length > this.link.largestBody()) {
			handover.singleOut();
		}
		if (handover.suspect()) {
			return false;
		}
		int number = handover.publish();
		if (number < 0) {
			return true;
		}
		Publication publication = new Publication(handover, number);
		if (!current.publish(publication)) {
			this.outcome.failed(publication, PublicationFailure.LOST);
		}
		return true;
	}

	/**
	 * Has a copy wait until it is due.
	 * @param handover whose copy
	 */
	void later(Handover handover) {
		(handover.suspect() ? this.suspects.waiting() : this.waiting).add(handover);
	}

	/**
	 * Has a copy wait no longer, nor be published.
	 * @param handover whose copy
	 */
	void forget(Handover handover) {
		(handover.suspect() ? this.suspects.waiting() : this.waiting).remove(handover);
	}

	/**
	 * Does what is due: gives up a channel that confirms nothing, and publishes what
	 * waits, on a new channel if need be.
	 * @param confirmTimeout how long a confirm may take
	 * @param abandon takes what is not to be published any more
	 */
	void tick(Duration confirmTimeout, Consumer<Handover> abandon) {
		long late = System.nanoTime() - confirmTimeout.toNanos();
		boolean expected = this.link.unblockedAt() - late < 0;
		if (expected) {
			abandonIfLate(late);
		}
		endStall();
		if (this.refusal != null && this.accepted) {
			endRefusal();
		}
		if (this.refusal == null) {
			publishDue(abandon);
		}
		if (this.refusal == null || !this.suspects.idle() || mayProbe()) {
			this.suspects.publishNext(expected ? late : late - NOT_EXPECTED, (handover) -> stopped(handover, abandon));
		}
	}

	private static boolean stopped(Handover handover, Consumer<Handover> abandon) {
		if (handover.acknowledgement().open()) {
			return false;
		}
		abandon.accept(handover);
		return true;
	}

	private void publishDue(Consumer<Handover> abandon) {
		Handover due = this.waiting.poll();
		while (due != null) {
			boolean more = false;
			try {
				more = publishOrWait(due, abandon);
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

	private boolean publishOrWait(Handover due, Consumer<Handover> abandon) {
		if (stopped(due, abandon)) {
			return true;
		}
		if (this.channel.usableOrOpening() == null) {
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
	private void abandonIfLate(long late) {
		ConfirmChannel current = this.channel.usable();
		if (current == null || !current.hasPublishedBefore(late)) {
			return;
		}
		this.accepted = false;
		this.stalledAt = System.nanoTime();
		this.channel.abandon();
		current.forEachPublishedBefore(System.nanoTime(),
				(publication) -> this.outcome.failed(publication, PublicationFailure.TIMED_OUT));
	}

	/**
	 * What was published since the stall is confirmed: the others need not wait longer.
	 */
	private void endStall() {
		if (this.stalledAt != 0 && this.accepted) {
			this.stalledAt = 0;
			dueNow(this.waiting, (handover) -> handover.lastFailure() == PublicationFailure.TIMED_OUT);
		}
	}

	private void endRefusal() {
		this.refusal = null;
		this.probing.succeeded();
		this.channel.worked();
		logger.info("The broker accepts copies for exchange '%s' again".formatted(this.exchange));
		dueNow(this.suspects.waiting(), (handover) -> handover.lastFailure() != PublicationFailure.SUSPECT);
		dueNow(this.waiting, (handover) -> true);
	}

	private static void dueNow(DelayQueue<Handover> queue, Predicate<Handover> which) {
		List<Handover> now = queue.stream().filter(which).filter(queue::remove).toList();
		now.forEach(Handover::dueNow);
		queue.addAll(now);
	}

	/** One copy, now and then, until one is accepted. */
	private boolean mayProbe() {
		if (!this.probing.due()) {
			return false;
		}
		if (!this.suspects.hasDue()) {
			Handover next = this.waiting.poll();
			if (next == null) {
				return false;
			}
			next.singleOut();
			this.suspects.waiting().add(next);
		}
		this.probing.attempted();
		return true;
	}

	@Override
	public void confirmed(Publication publication) {
		accepted(publication);
		this.outcome.confirmed(publication);
	}

	@Override
	public void failed(Publication publication, PublicationFailure why) {
		if (why == PublicationFailure.RETURNED || why == PublicationFailure.REFUSED) {
			accepted(publication);
		}
		this.outcome.failed(publication, why);
	}

	private void accepted(Publication publication) {
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
		if (why.ofTheExchange()) {
			this.refusal = text;
		}
		else if (why == PublicationFailure.SUSPECT) {
			this.link.refused(text);
			this.channel.worked();
		}
		OccasionalWarning warning = this.warnings.get(why);
		if (warning != null) {
			warning.warn(
					() -> "The channel that publishes to exchange '%s' was closed: %s".formatted(this.exchange, text));
		}
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
		return this.channel.unanswered() || this.suspects.unanswered();
	}

	/**
	 * What waits to be published.
	 * @return the hand-overs
	 */
	Stream<Handover> waiting() {
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
	 * Gives up on what waits.
	 * @param abandon takes it
	 */
	void abandonAll(Consumer<Handover> abandon) {
		abandon(abandon, (handover) -> true);
	}

	/**
	 * Gives up on what waits for nothing, as the broker has the original again.
	 * @param abandon takes it
	 */
	void abandonClosed(Consumer<Handover> abandon) {
		abandon(abandon, (handover) -> !handover.acknowledgement().open());
	}

	private void abandon(Consumer<Handover> abandon, Predicate<Handover> which) {
		for (DelayQueue<Handover> queue : List.of(this.waiting, this.suspects.waiting())) {
			new ArrayList<>(queue).stream().filter(which).filter(queue::remove).forEach(abandon);
		}
	}

}
