/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.scan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.acknowledgement.Acknowledgement;
import io.github.rabbitretry.internal.acknowledgement.DeliveryChannel;

/**
 * Takes messages until there are enough or no more come.
 */
final class WindowConsumer extends DefaultConsumer {

	private final DeliveryChannel deliveries;

	private final ScanSettings settings;

	private final List<UnackedMessage> held = new ArrayList<>();

	private long bytes;

	private boolean ended;

	WindowConsumer(Channel channel, DeliveryChannel deliveries, ScanSettings settings) {
		super(channel);
		this.deliveries = deliveries;
		this.settings = settings;
	}

	@Override
	public synchronized void handleDelivery(String consumerTag, Envelope envelope, BasicProperties properties,
			byte[] body) {
		if (!full()) {
			// what comes beyond stays unacknowledged too, and goes back with the channel
			this.held.add(new UnackedMessage(new Acknowledgement(this.deliveries, envelope.getDeliveryTag()),
					properties, body));
			this.bytes += body.length;
		}
		notifyAll();
	}

	@Override
	public synchronized void handleCancel(String consumerTag) {
		this.ended = true;
		notifyAll();
	}

	@Override
	public synchronized void handleShutdownSignal(String consumerTag, ShutdownSignalException signal) {
		this.ended = true;
		notifyAll();
	}

	private boolean full() {
		return this.held.size() >= this.settings.messages() || this.bytes >= this.settings.bytes();
	}

	/**
	 * Waits for messages.
	 * @param expected how many were ready
	 * @return the messages, the oldest first
	 */
	synchronized List<UnackedMessage> await(long expected) {
		int seen = this.held.size();
		Duration patience = this.settings.patience();
		long deadline = System.nanoTime() + patience.toNanos();
		try {
			while (!full() && !this.ended && this.held.size() < expected) {
				long left = deadline - System.nanoTime();
				if (left <= 0) {
					break;
				}
				TimeUnit.NANOSECONDS.timedWait(this, left);
				if (this.held.size() > seen) {
					seen = this.held.size();
					deadline = System.nanoTime() + patience.toNanos();
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return List.copyOf(this.held);
	}

}
