/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.acknowledgement;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

import com.rabbitmq.client.Channel;
import org.jspecify.annotations.Nullable;

/**
 * A delivery to be settled, on the very channel that it came through. Spring's channel
 * proxy opens a new channel once the old one is closed, and the same tag means another
 * delivery there.
 */
public final class Acknowledgement {

	private final DeliveryChannel channel;

	private final long deliveryTag;

	/** Written under the channel's lock. */
	private volatile boolean settled;

	/** Written under the channel's lock. */
	private volatile boolean begun;

	/** What counts it while it is in flight, or {@code null}. Guarded by the channel. */
	private @Nullable LongAdder inFlight;

	/** What this is a part of, or {@code null} if it is a delivery by itself. */
	private final @Nullable Acknowledgement whole;

	/** How many messages of the delivery are not acknowledged. */
	private final @Nullable AtomicInteger left;

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
		this.whole = null;
		this.left = null;
	}

	private Acknowledgement(Acknowledgement whole, AtomicInteger left) {
		this.channel = whole.channel;
		this.deliveryTag = whole.deliveryTag;
		this.whole = whole;
		this.left = left;
	}

	/**
	 * Divides a delivery among the messages in it, of which each is settled by itself.
	 * The delivery is acknowledged when the last of them is. The broker takes it back
	 * only as a whole, so that it does as soon as one of them is given back or rejected.
	 * @param number how many messages there are, 1 or more
	 * @return one acknowledgement for each; this one is not to be used any more
	 */
	public List<Acknowledgement> divide(int number) {
		AtomicInteger unacknowledged = new AtomicInteger(number);
		return Stream.generate(() -> new Acknowledgement(this, unacknowledged)).limit(number).toList();
	}

	/**
	 * Counts the delivery as in flight, until it is settled or {@link #released()}. To be
	 * called before anybody else knows it, or before it is handled again.
	 * @param inFlight counts those of its message type
	 */
	public void received(LongAdder inFlight) {
		this.inFlight = inFlight;
		inFlight.increment();
	}

	/**
	 * The delivery is in flight no more, although it is not settled: the broker has it
	 * again, or it is held for another attempt.
	 */
	public void released() {
		this.channel.released(this);
	}

	/** To be called by the channel, which it is guarded by. */
	void leave() {
		LongAdder counted = this.inFlight;
		if (counted != null) {
			this.inFlight = null;
			counted.decrement();
		}
	}

	/**
	 * The channel that the delivery came through.
	 * @return the channel
	 */
	public DeliveryChannel channel() {
		return this.channel;
	}

	/**
	 * Whether other messages came with the same delivery.
	 * @return {@code true} if it can't be given back alone
	 */
	public boolean isPart() {
		return this.whole != null;
	}

	/**
	 * The delivery that is settled in the end.
	 * @return what this is a part of, or this
	 */
	public Acknowledgement delivery() {
		return (this.whole != null) ? this.whole : this;
	}

	/**
	 * Whether the delivery can still be settled.
	 * @return {@code false} if its channel is closed, or it was given back with another
	 * message, so that the broker has it again
	 */
	public boolean open() {
		return this.channel.open() && (this.whole == null || !this.whole.begun);
	}

	/**
	 * Whether settlement has begun: to begin it again would leave a second copy.
	 * @return {@code true} if it is settled, or a copy of it is on its way
	 */
	public boolean begun() {
		return this.begun;
	}

	/**
	 * Whether nothing is left to do.
	 * @return {@code true} if the delivery is acknowledged, or the broker has it again
	 */
	public boolean settled() {
		return this.channel.settled(this);
	}

	/**
	 * The same without a lock, so that it may be on its way to the broker still.
	 * @return {@code true} if the delivery is being settled, or is settled
	 */
	public boolean isSettled() {
		return this.settled;
	}

	/** To be called before a copy is published. */
	public void begin() {
		this.channel.handoverBegins(this);
	}

	/** Called by the channel, which it is guarded by. */
	boolean beginOnce() {
		boolean first = !this.begun;
		this.begun = true;
		return first;
	}

	/** Whether a copy is on its way. Called by the channel, which it is guarded by. */
	boolean inHandover() {
		return this.begun && !this.settled;
	}

	/**
	 * Whether a thread may wait that has the delivery in its hands.
	 * @return {@code false} if the container can't begin again before it returns
	 */
	public boolean worthWaiting() {
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
		if (this.whole != null) {
			return this.channel.acknowledgePart(this);
		}
		return this.channel.settle(this, "acknowledge", () -> this.channel.channel().basicAck(this.deliveryTag, false));
	}

	/**
	 * Acknowledges deliveries, those of a channel with as few commands as may be.
	 * @param acknowledgements the deliveries
	 */
	public static void acknowledge(List<Acknowledgement> acknowledgements) {
		Map<DeliveryChannel, List<Acknowledgement>> byChannel = new LinkedHashMap<>();
		for (Acknowledgement acknowledgement : acknowledgements) {
			if (acknowledgement.isPart()) {
				acknowledgement.acknowledge();
			}
			else {
				byChannel.computeIfAbsent(acknowledgement.channel, (channel) -> new ArrayList<>()).add(acknowledgement);
			}
		}
		byChannel.forEach(DeliveryChannel::acknowledge);
	}

	long deliveryTag() {
		return this.deliveryTag;
	}

	/**
	 * Gives the delivery back to its queue. Not by reject, which counts as a failure of
	 * the message on RabbitMQ 4.3.
	 * @return {@code false} if its channel closed before
	 */
	public boolean giveBack() {
		if (this.whole != null) {
			return this.channel.settleOnce(this) && this.whole.giveBack();
		}
		return this.channel.settle(this, "give back", () -> this.channel.requeue(this.deliveryTag, false));
	}

	/**
	 * Has the broker dead-letter the delivery.
	 * @return {@code false} if its channel closed before
	 */
	public boolean reject() {
		if (this.whole != null) {
			return this.channel.settleOnce(this) && this.whole.reject();
		}
		return this.channel.settle(this, "reject", () -> this.channel.channel().basicReject(this.deliveryTag, false));
	}

	/** Whether all others of its delivery were acknowledged before. Asked once. */
	boolean lastPart() {
		return this.left != null && this.left.decrementAndGet() == 0;
	}

	/**
	 * The broker closes a channel on which a delivery is settled twice. Called by the
	 * channel, which it is guarded by.
	 * @return {@code false} if it was settled before
	 */
	boolean settleOnce() {
		leave();
		boolean first = !this.settled;
		this.settled = true;
		this.begun = true;
		return first;
	}

}
