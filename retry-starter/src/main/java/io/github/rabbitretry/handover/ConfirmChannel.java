/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.handover;

import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ReturnListener;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.topology.AppHeaders;

/**
 * A raw channel in confirm mode on which many threads publish without waiting. A
 * publication counts when it was mandatory, was not returned and was confirmed; for what
 * is unroutable the broker sends a return, and a positive confirm after it.
 */
final class ConfirmChannel implements ConfirmListener, ReturnListener {

	private final Channel channel;

	private final Outcome outcome;

	private final ReentrantLock publishing = new ReentrantLock();

	private final ConcurrentSkipListMap<Long, Publication> unconfirmed = new ConcurrentSkipListMap<>();

	/** Touched by the connection's reader alone, which calls both listeners. */
	private final Set<Long> returned = new HashSet<>();

	/** Counts of client and broker may differ: no confirm can be trusted any more. */
	private volatile boolean spoilt;

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
		channel.addShutdownListener((cause) -> confirmChannel.drain(why(cause)));
		return confirmChannel;
	}

	/** What is published to an exchange that is not there closes the channel. */
	private static PublicationFailure why(ShutdownSignalException cause) {
		return (cause.getReason() instanceof AMQP.Channel.Close close && close.getReplyCode() == AMQP.NOT_FOUND)
				? PublicationFailure.NO_EXCHANGE : PublicationFailure.LOST;
	}

	boolean isOpen() {
		return !this.spoilt && this.channel.isOpen();
	}

	/**
	 * Publishes without waiting.
	 * @param publication what to publish
	 * @return {@code false} if it was not published; its outcome is not told then
	 */
	boolean publish(Publication publication) {
		Copy copy = publication.handover().copy();
		this.publishing.lock();
		try {
			if (!isOpen()) {
				return false;
			}
			long sequence = this.channel.getNextPublishSeqNo();
			this.unconfirmed.put(sequence, publication);
			try {
				this.channel.basicPublish(copy.exchange(), copy.routingKey(), copy.mandatory(), copy.properties(),
						copy.body());
				return true;
			}
			catch (IOException | RuntimeException ex) {
				// the client has counted this publication, the broker perhaps not
				this.spoilt = true;
				boolean untold = this.unconfirmed.remove(sequence) != null;
				drain(PublicationFailure.LOST);
				return !untold;
			}
		}
		finally {
			this.publishing.unlock();
		}
	}

	void forEachPublishedBefore(long nanoTime, Consumer<Publication> consumer) {
		for (Publication publication : this.unconfirmed.values()) {
			if (!publication.isBefore(nanoTime)) {
				return;
			}
			consumer.accept(publication);
		}
	}

	/**
	 * Closes the channel. Waits for the broker's answer, so never on a listener's thread.
	 */
	void abort() {
		try {
			this.channel.abort();
		}
		catch (IOException ex) {
			// it is of no use any more, open or not
		}
	}

	@Override
	public void handleAck(long sequence, boolean multiple) {
		take(sequence, multiple, (publication) -> {
			if (!this.returned.isEmpty() && this.returned.remove(publication.handover().id())) {
				this.outcome.failed(publication, PublicationFailure.RETURNED);
			}
			else {
				this.outcome.confirmed(publication);
			}
		});
	}

	@Override
	public void handleNack(long sequence, boolean multiple) {
		// what was returned is confirmed, never refused: a return that is known here is
		// another publication's of the same hand-over, and its confirm must not count
		take(sequence, multiple, (publication) -> this.outcome.failed(publication, PublicationFailure.REFUSED));
	}

	@Override
	public void handleReturn(int replyCode, String replyText, String exchange, String routingKey,
			BasicProperties properties, byte[] body) {
		Map<String, Object> headers = properties.getHeaders();
		if (headers != null && headers.get(AppHeaders.HANDOVER_ID) instanceof Long id) {
			this.returned.add(id);
		}
	}

	private void take(long sequence, boolean multiple, Consumer<Publication> consumer) {
		if (!multiple) {
			Publication publication = this.unconfirmed.remove(sequence);
			if (publication != null) {
				consumer.accept(publication);
			}
			return;
		}
		Map<Long, Publication> upTo = this.unconfirmed.headMap(sequence, true);
		upTo.keySet().forEach((key) -> {
			Publication publication = this.unconfirmed.remove(key);
			if (publication != null) {
				consumer.accept(publication);
			}
		});
	}

	private void drain(PublicationFailure why) {
		Map.Entry<Long, Publication> entry = this.unconfirmed.pollFirstEntry();
		while (entry != null) {
			this.outcome.failed(entry.getValue(), why);
			entry = this.unconfirmed.pollFirstEntry();
		}
	}

	/**
	 * Is told what became of publications.
	 */
	interface Outcome {

		void confirmed(Publication publication);

		void failed(Publication publication, PublicationFailure why);

	}

}
