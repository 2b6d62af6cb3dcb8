/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ingestion;

import java.util.ArrayList;
import java.util.List;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;

/**
 * Fills the buffer from one parking lot. What the buffer has no room for is not kept,
 * only its tag, to be given back once no more comes: the broker counts messages and not
 * bytes.
 */
final class ParkingLotConsumer extends DefaultConsumer {

	private final String queue;

	private final IngestionBuffer buffer;

	private final List<Long> leftOut = new ArrayList<>();

	private long largest;

	private long delivered;

	private boolean ended;

	ParkingLotConsumer(Channel channel, String queue, IngestionBuffer buffer) {
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
