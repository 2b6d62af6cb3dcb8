/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;

import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.connection.BrokerText;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import io.github.rabbitretry.internal.message.LogText;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Publishes copies one at a time, on a channel of its own: those that were on a channel
 * when the broker closed it because of one of them. The one that it closes this channel
 * for is found, and the others are not published twice because of it.
 */
final class SuspectPublisher implements ConfirmChannel.Outcome {

	private static final Log logger = LogFactory.getLog(SuspectPublisher.class);

	private final ConfirmChannel.Outcome outcome;

	private final Runnable wakeUp;

	private final PublisherConnection link;

	private final ReopeningChannel channel;

	private final WaitingMessages waiting = new WaitingMessages();

	private final AtomicReference<ConfirmChannel.@Nullable Publication> onItsWay = new AtomicReference<>();

	private final RateLimitedLog warning = new RateLimitedLog(logger, Duration.ofSeconds(5));

	/** What the broker said when it closed the channel last, empty if it did not. */
	private volatile String brokerText = "";

	SuspectPublisher(PublisherConnection link, Executor executor, ConfirmChannel.Outcome outcome, Runnable wakeUp) {
		this.link = link;
		this.outcome = outcome;
		this.wakeUp = wakeUp;
		this.channel = new ReopeningChannel(link, executor, this, wakeUp);
	}

	WaitingMessages waiting() {
		return this.waiting;
	}

	boolean idle() {
		return this.onItsWay.get() == null;
	}

	/**
	 * Publishes the next one that is due, unless the last one is still on its way.
	 * @param late when a publication that is not confirmed yet is late
	 */
	void publishNext(long late) {
		ConfirmChannel.Publication unconfirmed = this.onItsWay.get();
		if (unconfirmed != null) {
			if (unconfirmed.isBefore(late)) {
				this.channel.abandon();
				failed(unconfirmed, PublicationFailure.TIMED_OUT);
			}
			return;
		}
		while (idle()) {
			OutboundMessage next = this.waiting.poll();
			if (next == null) {
				return;
			}
			if (!next.wanted() || !publish(next)) {
				this.waiting.add(next);
				return;
			}
		}
	}

	private boolean publish(OutboundMessage message) {
		ConfirmChannel open = this.channel.usableOrOpening();
		if (open == null) {
			return false;
		}
		int number = message.publish();
		if (number < 0) {
			return true;
		}
		ConfirmChannel.Publication publication = new ConfirmChannel.Publication(message, number);
		this.onItsWay.set(publication);
		PublicationFailure unpublished = open.publish(publication);
		if (unpublished != null) {
			failed(publication, unpublished);
		}
		return true;
	}

	@Override
	public void confirmed(List<ConfirmChannel.Publication> publications) {
		this.channel.worked();
		this.outcome.confirmed(publications);
		publications.forEach(this::next);
	}

	@Override
	public void failed(ConfirmChannel.Publication publication, PublicationFailure why) {
		if (why == PublicationFailure.SUSPECT || why.ofTheExchange()) {
			// who is refused waits, not those behind it
			this.channel.worked();
		}
		if (why == PublicationFailure.SUSPECT && publication.message().held()) {
			String id = publication.message().properties().getMessageId();
			this.warning
				.warn(() -> ("The broker refuses to accept a copy for '%s' (message id %s): %s. Its original is "
						+ "held unacknowledged, and the copy is published again after 30 seconds to 10 minutes")
					.formatted(publication.message().routingKey(), (id != null) ? LogText.of(id) : "none",
							this.brokerText));
		}
		this.outcome.failed(publication, why);
		next(publication);
	}

	private void next(ConfirmChannel.Publication publication) {
		if (this.onItsWay.compareAndSet(publication, null) && !this.waiting.isEmpty()) {
			this.wakeUp.run();
		}
	}

	@Override
	public void closed(PublicationFailure why, ShutdownSignalException cause) {
		if (!cause.isInitiatedByApplication()) {
			this.brokerText = BrokerText.of(cause);
			this.outcome.closed(why, cause);
		}
	}

	boolean unanswered() {
		return this.channel.unanswered();
	}

	void close() {
		this.channel.close();
	}

}
