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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ReturnListener;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.connection.BrokerText;
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

	private final Channel channel;

	private final Outcome outcome;

	private final ReentrantLock publishing = new ReentrantLock();

	private final UnconfirmedPublications unconfirmed = new UnconfirmedPublications();

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
		Channel channel = connection.createChannel();
		if (channel == null) {
			throw new IOException("no channel left on the publishing connection");
		}
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
			List<Publication> rest = this.unconfirmed.removeAll();
			// it closes a channel because of what it can't accept, which it never
			// confirms
			if (byBroker && rest.size() == 1) {
				rest.get(0).message().blame();
			}
			rest.forEach((publication) -> report(publication, (each) -> this.outcome.failed(each, why)));
		}
	}

	boolean isOpen() {
		return !this.retirement.get() && this.channel.isOpen();
	}

	/**
	 * Publishes without waiting.
	 * @param publication what to publish
	 * @return {@code null}, or why it was not published; no outcome is reported then
	 */
	@Nullable PublicationFailure publish(Publication publication) {
		OutboundMessage copy = publication.message();
		this.publishing.lock();
		try {
			if (!isOpen()) {
				return PublicationFailure.UNSENT;
			}
			long sequence = this.channel.getNextPublishSeqNo();
			this.unconfirmed.add(sequence, publication);
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
				warnUnlessClosed(copy, ex);
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

	private static void warnUnlessClosed(OutboundMessage copy, Throwable failure) {
		if (!(failure instanceof ShutdownSignalException)) {
			warning.warn(() -> "A copy could not be published to exchange '%s', its channel is given up: %s"
				.formatted(copy.exchange(), BrokerText.of(failure)));
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
		Publication oldest = this.unconfirmed.oldest();
		return oldest != null && oldest.isBefore(nanoTime);
	}

	void forEachPublishedBefore(long nanoTime, Consumer<Publication> consumer) {
		this.unconfirmed.publishedBefore(nanoTime).forEach(consumer);
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
			confirmed.forEach((each) -> report(each, (rest) -> this.outcome.failed(rest, PublicationFailure.LOST)));
			logger.error("The confirm of publications could not be handled", ex);
		}
	}

	private boolean failedAsReturned(Publication publication) {
		boolean wasReturned = wasReturned(publication.message().id());
		if (wasReturned) {
			report(publication, (each) -> this.outcome.failed(each, PublicationFailure.RETURNED));
		}
		return wasReturned;
	}

	@Override
	public void handleNack(long sequence, boolean multiple) {
		// what was returned is confirmed, never refused: a return that is known here is
		// another publication's of the same message, and its confirm must not count
		take(sequence, multiple).forEach(
				(publication) -> report(publication, (each) -> this.outcome.failed(each, PublicationFailure.REFUSED)));
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
		this.unconfirmed.removeAll().forEach((each) -> report(each, (lost) -> this.outcome.failed(lost, why)));
	}

	private boolean wasReturned(Long id) {
		Integer times = this.returned.get(id);
		if (times == null) {
			return false;
		}
		if (times == 1) {
			this.returned.remove(id);
		}
		else {
			this.returned.put(id, times - 1);
		}
		return true;
	}

	private List<Publication> take(long sequence, boolean multiple) {
		if (multiple) {
			return this.unconfirmed.removeUpTo(sequence);
		}
		Publication publication = this.unconfirmed.remove(sequence);
		return new ArrayList<>((publication != null) ? List.of(publication) : List.of());
	}

	/** A failure for one publication must not prevent the reports of the others. */
	private static void report(Publication publication, Consumer<Publication> consumer) {
		try {
			consumer.accept(publication);
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
