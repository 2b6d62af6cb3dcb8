/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.time.Duration;

import com.rabbitmq.client.Channel;

/**
 * A delivery to be settled, on the very channel that it came through. Spring's channel
 * proxy opens a new channel once the old one is closed, and the same tag means another
 * delivery there.
 */
public final class Acknowledgement {

	private final DeliveryChannel channel;

	private final long deliveryTag;

	/** Guarded by the channel. */
	private boolean settled;

	private volatile boolean begun;

	/**
	 * Captures a delivery.
	 * @param channel the channel as a listener gets it
	 * @param deliveryTag the delivery's tag
	 */
	public Acknowledgement(Channel channel, long deliveryTag) {
		this(new DeliveryChannel(channel), deliveryTag);
	}

	/**
	 * Captures a delivery of a channel that several are captured of.
	 * @param channel the channel
	 * @param deliveryTag the delivery's tag
	 */
	public Acknowledgement(DeliveryChannel channel, long deliveryTag) {
		this.channel = channel;
		this.deliveryTag = deliveryTag;
		channel.taken();
	}

	/**
	 * Whether the delivery can still be settled.
	 * @return {@code false} if its channel is closed, so that the broker has it again
	 */
	public boolean open() {
		return this.channel.open();
	}

	/**
	 * Whether somebody sees to the delivery: whoever does so too leaves a second copy.
	 * @return {@code true} if it is settled, or a copy of it is on its way
	 */
	public boolean begun() {
		return this.begun;
	}

	/** To be called before a copy is published. */
	void begin() {
		this.begun = true;
	}

	/**
	 * Whether a thread may wait that has the delivery in its hands.
	 * @return {@code false} if the container can't begin again before it returns
	 */
	boolean worthWaiting() {
		return this.channel.worthWaiting();
	}

	/**
	 * Cancels the consumers of the delivery's channel. While this delivery is unsettled,
	 * one that prefetches a single message gets no other that a closing channel would
	 * leave behind. Not to be called by a connection's reader.
	 * @param timeout how long an answer may take
	 */
	public void cancelConsumers(Duration timeout) {
		this.channel.cancelConsumers(timeout);
	}

	/**
	 * The largest frame of the connection.
	 * @return bytes, 0 for no limit
	 */
	public int frameMax() {
		return this.channel.channel().getConnection().getFrameMax();
	}

	/**
	 * Acknowledges the delivery.
	 * @return {@code false} if its channel closed before
	 */
	public boolean acknowledge() {
		return this.channel.settle(this, "acknowledge", () -> this.channel.channel().basicAck(this.deliveryTag, false));
	}

	/**
	 * Gives the delivery back to its queue. Not by reject, which counts as a failure of
	 * the message on RabbitMQ 4.3.
	 * @return {@code false} if its channel closed before
	 */
	public boolean giveBack() {
		return this.channel.settle(this, "give back",
				() -> this.channel.channel().basicNack(this.deliveryTag, false, true));
	}

	/**
	 * Has the broker dead-letter the delivery.
	 * @return {@code false} if its channel closed before
	 */
	public boolean reject() {
		return this.channel.settle(this, "reject", () -> this.channel.channel().basicReject(this.deliveryTag, false));
	}

	/**
	 * The broker closes a channel on which a delivery is settled twice. Called by the
	 * channel, which it is guarded by.
	 * @return {@code false} if it was settled before
	 */
	boolean settleOnce() {
		boolean first = !this.settled;
		this.settled = true;
		this.begun = true;
		return first;
	}

}
