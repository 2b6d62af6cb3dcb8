/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ingestion;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.acknowledgement.ChannelAcknowledger;
import io.github.rabbitretry.internal.connection.QueueLookup;
import io.github.rabbitretry.internal.connection.StreamProbe;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The consumption of one parking lot on one channel. How many messages the broker may
 * have on their way depends on the size of those seen: the first one is asked for by
 * itself; whenever there is no room for some, fewer are asked for, and after a while of
 * smaller ones more again.
 */
final class ParkingLotSubscription {

	private static final Log logger = LogFactory.getLog(ParkingLotSubscription.class);

	private static final Duration UNTIL_NEXT_TRY = Duration.ofSeconds(10);

	/** For a stream, which may be replaced by a queue again. */
	private static final Duration STREAM = Duration.ofMinutes(10);

	/** More are asked for after as many times what may be on its way. */
	private static final int CALM = 5;

	private final String queue;

	private final IngestionBuffer buffer;

	private final int mostOnTheirWay;

	private final AdoptedQueues adopted;

	private int prefetch;

	/** Whether one message is asked for, to learn how large they are. */
	private boolean first;

	/** Whether the queue is known to be no stream. */
	private boolean known;

	private @Nullable BufferingConsumer consumer;

	private @Nullable String consumerTag;

	private long tryAt = System.nanoTime();

	ParkingLotSubscription(String queue, IngestionBuffer buffer, int mostOnTheirWay, AdoptedQueues adopted) {
		this.adopted = adopted;
		this.queue = queue;
		this.buffer = buffer;
		this.mostOnTheirWay = mostOnTheirWay;
	}

	/**
	 * Consumes if that is not so yet, or asks for fewer or more messages.
	 * @param channel the channel
	 * @param acknowledgements settles its deliveries
	 * @param queues checks whether the queue exists
	 * @throws IOException if the channel is broken
	 */
	void keepUp(Channel channel, ChannelAcknowledger acknowledgements, QueueLookup queues) throws IOException {
		BufferingConsumer current = this.consumer;
		if (current == null) {
			if (this.tryAt - System.nanoTime() <= 0 && this.buffer.roomy()) {
				begin(channel, queues);
			}
		}
		else if (current.ended()) {
			ended(acknowledgements, current);
		}
		else if (this.consumerTag != null && (current.overflowed() || calm(current))) {
			channel.basicCancel(this.consumerTag);
			// the consumer has ended after what is on its way
			this.consumerTag = null;
		}
	}

	private boolean calm(BufferingConsumer current) {
		return this.prefetch < this.mostOnTheirWay && fitting(current.largest()) > this.prefetch
				&& current.delivered() >= (this.first ? 1 : (long) CALM * this.prefetch);
	}

	private int fitting(long bytes) {
		return (int) Math.max(1, Math.min(this.mostOnTheirWay, this.buffer.capacity() / bytes));
	}

	private void begin(Channel channel, QueueLookup queues) throws IOException {
		this.tryAt = System.nanoTime() + UNTIL_NEXT_TRY.toNanos();
		Optional<QueueLookup.Depth> depth = queues.depth(this.queue);
		if (depth.isEmpty()) {
			this.adopted.missing(this.queue);
			return;
		}
		if (!this.known && this.adopted.isStream(this.queue, queues)) {
			postpone(System.nanoTime() + STREAM.toNanos());
			return;
		}
		this.known = true;
		if (this.prefetch == 0) {
			this.first = depth.get().ready() > 0;
			this.prefetch = this.first ? 1 : this.mostOnTheirWay;
		}
		BufferingConsumer next = new BufferingConsumer(channel, this.queue, this.buffer);
		channel.basicQos(this.prefetch);
		this.consumerTag = channel.basicConsume(this.queue, false, StreamProbe.NO_STREAM, next);
		this.consumer = next;
	}

	private void ended(ChannelAcknowledger acknowledgements, BufferingConsumer last) throws IOException {
		boolean cancelledByBroker = this.consumerTag != null;
		this.consumerTag = null;
		this.consumer = null;
		this.first = false;
		boolean overflowed = last.overflowed();
		acknowledgements.giveBack(last.leftOut());
		this.prefetch = overflowed ? Math.min(Math.max(1, this.prefetch / 2), fitting(last.largest()))
				: fitting(last.largest());
		if (cancelledByBroker) {
			this.known = false;
			logger.warn(("The broker cancelled the consumer of '%s': it was deleted, or moves, or waited too long for"
					+ " acknowledgements. It is consumed again in %s")
				.formatted(this.queue, UNTIL_NEXT_TRY));
			this.tryAt = System.nanoTime() + UNTIL_NEXT_TRY.toNanos();
		}
		else {
			this.tryAt = System.nanoTime();
		}
	}

	/**
	 * Leaves the queue alone for a while.
	 * @param until until when, as of {@link System#nanoTime()}
	 */
	void postpone(long until) {
		this.tryAt = until;
	}

	String queue() {
		return this.queue;
	}

	/**
	 * Ends it. When this returns, the broker has applied what was acknowledged.
	 * @param channel the channel
	 * @throws IOException if the channel is broken
	 */
	void end(Channel channel) throws IOException {
		if (this.consumerTag != null) {
			channel.basicCancel(this.consumerTag);
			this.consumerTag = null;
		}
	}

	/**
	 * Fills the buffer. Prefetch counts messages, not bytes: messages that overflow the
	 * buffer are dropped here and requeued after the cancel.
	 */
	private static final class BufferingConsumer extends DefaultConsumer {

		private final String queue;

		private final IngestionBuffer buffer;

		private final List<Long> leftOut = new ArrayList<>();

		private long largest;

		private long delivered;

		private boolean ended;

		BufferingConsumer(Channel channel, String queue, IngestionBuffer buffer) {
			super(channel);
			this.queue = queue;
			this.buffer = buffer;
		}

		@Override
		public void handleDelivery(String consumerTag, Envelope envelope, BasicProperties properties, byte[] body) {
			ParkedDelivery delivery = new ParkedDelivery(envelope.getDeliveryTag(), this.queue, properties, body);
			boolean kept = this.buffer.offer(delivery);
			synchronized (this) {
				this.delivered++;
				this.largest = Math.max(this.largest, delivery.bytes());
				if (!kept) {
					this.leftOut.add(delivery.tag());
				}
			}
		}

		@Override
		public synchronized void handleCancelOk(String consumerTag) {
			this.ended = true;
		}

		@Override
		public synchronized void handleCancel(String consumerTag) {
			this.ended = true;
		}

		@Override
		public synchronized void handleShutdownSignal(String consumerTag, ShutdownSignalException signal) {
			this.ended = true;
		}

		/** Whether nothing comes any more. */
		synchronized boolean ended() {
			return this.ended;
		}

		/** Whether something was left out. */
		synchronized boolean overflowed() {
			return !this.leftOut.isEmpty();
		}

		synchronized List<Long> leftOut() {
			List<Long> tags = List.copyOf(this.leftOut);
			this.leftOut.clear();
			return tags;
		}

		/** The most bytes of a message so far, at least 1. */
		synchronized long largest() {
			return Math.max(1, this.largest);
		}

		/** How many messages came so far. */
		synchronized long delivered() {
			return this.delivered;
		}

	}

}
