/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ReturnListener;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.connection.BrokerText;
import io.github.rabbitretry.internal.connection.ClientConnection;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A raw channel in confirm mode on which many threads publish without waiting. A
 * publication counts when it was mandatory, was not returned and was confirmed; for what
 * is unroutable the broker sends a return, and a positive confirm after it.
 */
final class ConfirmChannel implements ConfirmListener, ReturnListener {

	private static final Log logger = LogFactory.getLog(ConfirmChannel.class);

	private static final RateLimitedLog warning = new RateLimitedLog(logger, Duration.ofSeconds(30));

	/** When the broker refuses a message, it closes the channel at once. */
	private static final long REFUSAL = TimeUnit.SECONDS.toNanos(1);

	private final Channel channel;

	private final Outcome outcome;

	private final ReentrantLock publishing = new ReentrantLock();

	/** By sequence number. Who removes one reports its outcome. */
	private final ConcurrentNavigableMap<Long, Publication> unconfirmed = new ConcurrentSkipListMap<>();

	/** The last publication if it is of an isolated message, otherwise 0. */
	private volatile long isolated;

	/**
	 * How often a message was returned and not yet confirmed after that. Touched by the
	 * connection's reader alone, which calls both listeners.
	 */
	private final Map<Long, Integer> returned = new HashMap<>();

	/**
	 * Nothing is published any more: it is to be closed, or its counts can't be trusted.
	 */
	private final AtomicBoolean retirement = new AtomicBoolean();

	private final AtomicBoolean ended = new AtomicBoolean();

	private ConfirmChannel(Channel channel, Outcome outcome) {
		this.channel = channel;
		this.outcome = outcome;
	}

	static ConfirmChannel open(Connection connection, Outcome outcome) throws IOException {
		Channel channel = ClientConnection.channel(connection);
		channel.confirmSelect();
		ConfirmChannel confirmChannel = new ConfirmChannel(channel, outcome);
		channel.addConfirmListener(confirmChannel);
		channel.addReturnListener(confirmChannel);
		channel.addShutdownListener(confirmChannel::shutDown);
		return confirmChannel;
	}

	private void shutDown(ShutdownSignalException cause) {
		PublicationFailure why = PublicationFailure.of(cause);
		try {
			// the client calls this again when a closed channel is aborted
			if (this.ended.compareAndSet(false, true)) {
				this.outcome.closed(why, cause);
			}
		}
		finally {
			boolean byBroker = !cause.isInitiatedByApplication() && !cause.isHardError();
			Publication alone = this.unconfirmed.get(this.isolated);
			List<Publication> rest = takeUpTo(Long.MAX_VALUE);
			// it closes a channel because of what it can't accept, which it never
			// confirms
			Publication rejected = (rest.size() == 1) ? rest.get(0) : alone;
			if (!byBroker || rejected == null) {
				rest.forEach((publication) -> fail(publication, why));
				return;
			}
			// over a slow connection, an isolated copy before it may be the one
			if (rest.stream().allMatch((each) -> each == rejected || !each.message().isolated())) {
				rejected.message().markRejected();
			}
			boolean others = why != PublicationFailure.SUSPECT;
			rest.forEach((publication) -> fail(publication,
					(others || publication == rejected) ? why : PublicationFailure.LOST));
		}
	}

	boolean isOpen() {
		return !this.retirement.get() && this.channel.isOpen();
	}

	/** Whether nothing is unconfirmed. */
	boolean idle() {
		return this.unconfirmed.isEmpty();
	}

	/**
	 * Whether the broker refuses nothing of what is unconfirmed: it would have closed the
	 * channel by now. A queue without a majority of its members, for instance, confirms
	 * nothing for a long time.
	 */
	boolean quiet() {
		Map.Entry<Long, Publication> last = this.unconfirmed.lastEntry();
		return last == null || last.getValue().isBefore(System.nanoTime() - REFUSAL);
	}

	/** Whether an isolated message is on its way, so that nothing else is published. */
	boolean exclusive() {
		return this.isolated != 0 && !quiet();
	}

	/**
	 * Publishes without waiting. An isolated message is published only while the channel
	 * is quiet, and nothing else until it is again.
	 * @param publication what to publish
	 * @return {@code null}, or why it was not published; no outcome is reported then
	 */
	@Nullable PublicationFailure publish(Publication publication) {
		OutboundMessage copy = publication.message();
		this.publishing.lock();
		try {
			if (!isOpen() || ((this.isolated != 0 || copy.isolated()) && !quiet())) {
				return PublicationFailure.UNSENT;
			}
			long sequence = this.channel.getNextPublishSeqNo();
			this.isolated = copy.isolated() ? sequence : 0;
			this.unconfirmed.put(sequence, publication);
			try {
				this.channel.basicPublish(copy.exchange(), copy.routingKey(), copy.mandatory(), copy.properties(),
						copy.body());
				return null;
			}
			catch (Throwable ex) {
				// the client has counted this publication, the broker perhaps not: a
				// later
				// confirm with that number would be another publication's
				retire();
				logger.debug("A copy could not be published, its channel is given up", ex);
				if (!(ex instanceof ShutdownSignalException)) {
					warning.warn(() -> "A copy could not be published to exchange '%s', its channel is given up: %s"
						.formatted(copy.exchange(), BrokerText.of(ex)));
				}
				boolean untold = this.unconfirmed.remove(sequence) != null;
				PublicationFailure why = (ex instanceof ShutdownSignalException closed) ? PublicationFailure.of(closed)
						: PublicationFailure.LOST;
				failAll(why);
				if (!untold) {
					return null;
				}
				// the client looks first whether the channel is open
				return (ex instanceof AlreadyClosedException) ? PublicationFailure.UNSENT : PublicationFailure.LOST;
			}
		}
		finally {
			this.publishing.unlock();
		}
	}

	/**
	 * Publishes nothing from now on. Confirms of what was published before still count.
	 * @return {@code false} if it was so already
	 */
	boolean retire() {
		return this.retirement.compareAndSet(false, true);
	}

	boolean hasPublishedBefore(long nanoTime) {
		Map.Entry<Long, Publication> oldest = this.unconfirmed.firstEntry();
		return oldest != null && oldest.getValue().isBefore(nanoTime);
	}

	/** What is neither confirmed nor lost, the oldest first. */
	List<Publication> unconfirmed() {
		return List.copyOf(this.unconfirmed.values());
	}

	/**
	 * Closes the channel. Waits for the broker's answer, so never on a listener's thread.
	 */
	void abort() {
		try {
			this.channel.abort();
		}
		catch (IOException | RuntimeException ex) {
			logger.debug("A channel that is of no use any more could not be closed", ex);
		}
	}

	@Override
	public void handleAck(long sequence, boolean multiple) {
		List<Publication> confirmed = take(sequence, multiple);
		try {
			if (!this.returned.isEmpty()) {
				confirmed.removeIf(this::failedAsReturned);
			}
			if (!confirmed.isEmpty()) {
				this.outcome.confirmed(confirmed);
			}
		}
		catch (Throwable ex) {
			// those that it did not come to are published again
			confirmed.forEach((each) -> fail(each, PublicationFailure.LOST));
			logger.error("The confirm of publications could not be handled", ex);
		}
	}

	private boolean failedAsReturned(Publication publication) {
		Long id = publication.message().id();
		boolean wasReturned = this.returned.containsKey(id);
		this.returned.computeIfPresent(id, (key, times) -> (times > 1) ? times - 1 : null);
		if (wasReturned) {
			fail(publication, PublicationFailure.RETURNED);
		}
		return wasReturned;
	}

	@Override
	public void handleNack(long sequence, boolean multiple) {
		// what was returned is confirmed, never refused: a return that is known here is
		// another publication's of the same message, and its confirm must not count
		take(sequence, multiple).forEach((publication) -> fail(publication, PublicationFailure.REFUSED));
	}

	@Override
	public void handleReturn(int replyCode, String replyText, String exchange, String routingKey,
			BasicProperties properties, byte[] body) {
		Long id = OutboundMessage.id(properties);
		if (id == null) {
			return;
		}
		try {
			this.returned.merge(id, 1, Integer::sum);
		}
		catch (Throwable ex) {
			// the confirm that follows would count. Some exception handlers of the client
			// keep the channel
			retire();
			failAll(PublicationFailure.LOST);
			throw ex;
		}
	}

	private void failAll(PublicationFailure why) {
		takeUpTo(Long.MAX_VALUE).forEach((each) -> fail(each, why));
	}

	private List<Publication> take(long sequence, boolean multiple) {
		if (multiple) {
			return takeUpTo(sequence);
		}
		Publication publication = this.unconfirmed.remove(sequence);
		return new ArrayList<>((publication != null) ? List.of(publication) : List.of());
	}

	private List<Publication> takeUpTo(long sequence) {
		List<Publication> taken = new ArrayList<>();
		for (Long each : this.unconfirmed.headMap(sequence, true).keySet()) {
			Publication publication = this.unconfirmed.remove(each);
			if (publication != null) {
				taken.add(publication);
			}
		}
		return taken;
	}

	/** A failure for one publication must not prevent the reports of the others. */
	private void fail(Publication publication, PublicationFailure why) {
		try {
			this.outcome.failed(publication, why);
		}
		catch (Throwable ex) {
			logger.error("The outcome of a publication could not be handled", ex);
		}
	}

	/**
	 * One publishing of a message.
	 *
	 * @param message the message
	 * @param number which publishing of it
	 * @param at when, as of {@link System#nanoTime()}
	 */
	record Publication(OutboundMessage message, int number, long at) {

		Publication(OutboundMessage message, int number) {
			this(message, number, System.nanoTime());
		}

		boolean isBefore(long nanoTime) {
			return this.at - nanoTime < 0;
		}

	}

	/**
	 * Is notified of the outcome of publications.
	 */
	interface Outcome {

		/**
		 * The broker has accepted publications.
		 * @param publications those that one of its answers confirms, one or more
		 */
		void confirmed(List<Publication> publications);

		void failed(Publication publication, PublicationFailure why);

		/**
		 * The channel ends. What is unconfirmed on it fails after this.
		 * @param why what that means
		 * @param cause with the broker's text, if the broker ended it
		 */
		default void closed(PublicationFailure why, ShutdownSignalException cause) {
		}

	}

}
