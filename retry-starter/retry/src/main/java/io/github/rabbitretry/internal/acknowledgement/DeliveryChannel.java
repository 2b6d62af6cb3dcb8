/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.acknowledgement;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownListener;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.connection.ServerVersion;
import io.github.rabbitretry.internal.logging.BestEffortLog;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.ChannelProxy;

/**
 * A channel as far as its deliveries are settled. Several are acknowledged at once where
 * all before them are settled; otherwise each is settled by its own tag, until all that
 * the channel still holds is given back at once.
 */
public final class DeliveryChannel {

	private static final Log logger = LogFactory.getLog(DeliveryChannel.class);

	private final Channel channel;

	/** Closes it, where deliveries go back to their queue all at once or not at all. */
	private final @Nullable Consumer<Channel> closer;

	/** Guarded by this. */
	private final ChannelAcknowledger acknowledgements;

	/** Guarded by this. */
	private int unsettled;

	/** How many threads wait for what is unsettled. Guarded by this. */
	private int waiting;

	private volatile boolean givenBack;

	/** Those whose deliveries came through it. */
	private final ChannelConsumers consumers;

	private volatile @Nullable Channel forHandlers;

	/**
	 * Captures a channel. Never a proxy of it, which opens a new channel once the old one
	 * is closed: the same tag means another delivery there.
	 * @param channel the channel as a listener gets it
	 */
	public DeliveryChannel(Channel channel) {
		this(channel, null);
	}

	/**
	 * Captures a channel whose deliveries go back to their queue all at once, if one of
	 * them does: the broker keeps their order only if the channel is closed.
	 * @param channel the channel as a listener gets it
	 * @param closer closes the channel, and does not wait for that; {@code null} if
	 * deliveries may be given back one by one
	 */
	DeliveryChannel(Channel channel, @Nullable Consumer<Channel> closer) {
		this.channel = target(channel);
		this.acknowledgements = new ChannelAcknowledger(this.channel);
		this.consumers = new ChannelConsumers(this.channel);
		this.closer = closer;
	}

	/**
	 * The channel behind a proxy.
	 * @param channel the channel as a listener gets it
	 * @return the channel that the deliveries belong to
	 */
	public static Channel target(Channel channel) {
		return (channel instanceof ChannelProxy proxy) ? proxy.getTargetChannel() : channel;
	}

	Channel channel() {
		return this.channel;
	}

	/**
	 * The channel as handlers get it, which does not settle deliveries.
	 * @param given the channel as a listener gets it
	 * @param listener how to name the listener
	 * @return the same at every call
	 */
	public Channel forHandlers(Channel given, String listener) {
		Channel known = this.forHandlers;
		if (known == null) {
			known = HandlerChannel.of(given, this.channel, listener);
			this.forHandlers = known;
		}
		return known;
	}

	/**
	 * Whether deliveries can still be settled.
	 * @return {@code false} if the broker has them again
	 */
	public boolean open() {
		return !this.givenBack && this.channel.isOpen();
	}

	/**
	 * Whether all deliveries go back to their queue if one of them does.
	 * @return {@code false} if each can be given back alone
	 */
	public boolean givesBackAtOnce() {
		return this.closer != null;
	}

	/**
	 * Whether the broker lets deliveries be given back without counting that as a
	 * failure: RabbitMQ does since 4.3. Older ones raise {@code x-delivery-count} just as
	 * if the channel had closed.
	 * @return {@code false} if to give back is no better than to close
	 */
	public boolean givesBackUncounted() {
		return this.closer == null && ServerVersion.of(this.channel.getConnection()).givesBackUncounted();
	}

	synchronized void taken() {
		this.unsettled++;
	}

	/** Settles one delivery. */
	synchronized boolean settle(Acknowledgement acknowledgement, String what, Settling settling) {
		return attempt(what, () -> {
			if (!settleOnce(acknowledgement) || this.givenBack) {
				return false;
			}
			settling.run();
			if (this.closer == null) {
				this.acknowledgements.settled(acknowledgement.deliveryTag());
			}
			return true;
		});
	}

	/**
	 * Acknowledges deliveries of this channel.
	 * @param together those that are acknowledged with as few commands as may be
	 */
	synchronized void acknowledge(List<Acknowledgement> together) {
		attempt("acknowledge", () -> {
			List<Long> tags = new ArrayList<>(together.size());
			for (Acknowledgement acknowledgement : together) {
				if (settleOnce(acknowledgement)) {
					tags.add(acknowledgement.deliveryTag());
				}
			}
			if (!this.givenBack) {
				acknowledgeTags(tags);
			}
			return true;
		});
	}

	private void acknowledgeTags(List<Long> tags) throws IOException {
		if (this.closer == null) {
			this.acknowledgements.acknowledge(tags);
			return;
		}
		// what is given back stays outstanding until the channel is closed
		for (long tag : tags) {
			this.channel.basicAck(tag, false);
		}
	}

	private boolean settleOnce(Acknowledgement acknowledgement) {
		boolean first = acknowledgement.settleOnce();
		if (first) {
			this.unsettled--;
			wakeUp();
		}
		return first;
	}

	/** Of one of several messages of a delivery, which itself is settled later. */
	synchronized boolean settlePart(Acknowledgement part) {
		return part.settleOnce();
	}

	/**
	 * Acknowledges one of several messages of a delivery, and the delivery with the last
	 * of them. Both at once, or the others would seem given back in between.
	 */
	synchronized boolean acknowledgePart(Acknowledgement part) {
		return part.settleOnce() && (part.lastPart() ? part.delivery().acknowledge() : part.open());
	}

	synchronized void released(Acknowledgement acknowledgement) {
		acknowledgement.leave();
	}

	/**
	 * Notes whose delivery came through the channel.
	 * @param consumerTag the tag of one of its consumers
	 */
	public void deliversTo(@Nullable String consumerTag) {
		this.consumers.add(consumerTag);
	}

	ChannelConsumers channelConsumers() {
		return this.consumers;
	}

	/**
	 * How many consumers' deliveries have come through the channel.
	 * @return a number
	 */
	public int consumers() {
		return this.consumers.count();
	}

	/**
	 * Whether a thread may wait that has a delivery of the channel in its hands.
	 * @return {@code false} if the channel is closed, or will be as soon as its threads
	 * return, since the broker cancelled its consumer
	 */
	public boolean worthWaiting() {
		return !this.consumers.cancelledByBroker() && open();
	}

	/**
	 * Cancels the consumers, so that the broker delivers nothing more: all that it sent
	 * before its answer is here. It answers after their queues have applied what was
	 * acknowledged before. For a consumer that is cancelled already, by the container
	 * perhaps, it answers the same. Not by the client's own method, which would notify
	 * the container of a cancellation that it has not asked for. Never to be called by a
	 * connection's reader.
	 * @param timeout how long an answer may take
	 */
	public void cancelConsumers(Duration timeout) {
		if (this.closer != null) {
			// the next consumer would get what comes behind the deliveries held here
			return;
		}
		this.consumers.cancel(timeout);
	}

	/**
	 * Gives back all that is delivered and not settled, also what no listener has seen,
	 * as one command: of many, those beyond 32 would be dropped by a quorum queue if the
	 * channel closed. May be called again for what was delivered since. The consumers
	 * have to be cancelled, or the broker delivers the same at once.
	 */
	public synchronized void giveBackAll() {
		this.givenBack = true;
		wakeUp();
		attempt("give back", () -> {
			requeue(0, true);
			return true;
		});
	}

	/** Guarded by this. */
	void requeue(long deliveryTag, boolean multiple) throws IOException {
		if (this.closer == null) {
			this.channel.basicNack(deliveryTag, multiple, true);
			return;
		}
		this.closer.accept(this.channel);
	}

	/** Whether a delivery is acknowledged, or the broker has it again. */
	synchronized boolean settled(Acknowledgement acknowledgement) {
		return acknowledgement.isSettled();
	}

	/**
	 * Waits until nothing is unsettled but a number of deliveries.
	 * @param rest how many may be
	 * @param deadline until when to wait, as of {@link System#nanoTime()}
	 * @return {@code false} if it was in vain
	 */
	public boolean awaitSettled(int rest, long deadline) {
		ShutdownListener closed = (cause) -> wakeUp();
		this.channel.addShutdownListener(closed);
		try {
			return settled(rest, deadline);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
		finally {
			this.channel.removeShutdownListener(closed);
		}
	}

	private synchronized boolean settled(int rest, long deadline) throws InterruptedException {
		this.waiting++;
		try {
			while (this.unsettled > rest && open()) {
				long left = deadline - System.nanoTime();
				if (left <= 0) {
					return false;
				}
				TimeUnit.NANOSECONDS.timedWait(this, Math.max(left, 1_000_000));
			}
			return true;
		}
		finally {
			this.waiting--;
		}
	}

	private synchronized void wakeUp() {
		if (this.waiting > 0) {
			notifyAll();
		}
	}

	/** Closes the channel: the broker has again what is not settled. */
	void abandon() {
		this.givenBack = true;
		wakeUp();
		if (this.closer != null) {
			this.closer.accept(this.channel);
		}
		else {
			DeliveryChannels.abort(this.channel);
		}
	}

	private boolean attempt(String what, Attempt settling) {
		try {
			return settling.run();
		}
		catch (IOException | ShutdownSignalException ex) {
			logger.debug("Could not %s a delivery, its channel is closed".formatted(what), ex);
			return false;
		}
		catch (Throwable ex) {
			// what the broker got is unknown
			abandon();
			BestEffortLog.error(logger, "Could not %s a delivery, its channel is closed".formatted(what), ex);
			return false;
		}
	}

	interface Settling {

		void run() throws IOException;

	}

	private interface Attempt {

		boolean run() throws IOException;

	}

}
