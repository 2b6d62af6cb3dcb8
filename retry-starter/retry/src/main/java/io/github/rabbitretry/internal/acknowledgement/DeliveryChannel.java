/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.acknowledgement;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.connection.BlockedConnections;
import io.github.rabbitretry.internal.connection.ServerVersion;
import io.github.rabbitretry.internal.logging.BestEffortLog;
import io.github.rabbitretry.internal.thread.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.ChannelProxy;

/**
 * A channel, with the deliveries that came through it. Several are acknowledged with one
 * command where all before them are settled. All others are settled by their own tags,
 * until everything that the channel still holds is requeued at once.
 */
public final class DeliveryChannel {

	private static final Log logger = LogFactory.getLog(DeliveryChannel.class);

	private static final long POLL_INTERVAL = TimeUnit.MILLISECONDS.toNanos(1);

	private final Channel channel;

	/**
	 * Closes the channel. {@code null} if each delivery can be requeued by its own tag.
	 */
	private final @Nullable Consumer<Channel> closer;

	/** Guarded by this. */
	private final ChannelAcknowledger acknowledgements;

	/** How many copies of deliveries are not confirmed yet. Guarded by this. */
	private int handovers;

	/** How many calls of its listener are under way. Guarded by this. */
	private int calls;

	private volatile boolean givenBack;

	/** The tags of the consumers whose deliveries came through the channel. */
	private final Set<String> consumers = ConcurrentHashMap.newKeySet();

	private volatile boolean cancelledByBroker;

	private volatile @Nullable Channel forHandlers;

	/**
	 * Creates it for a channel, never for a proxy of it. A proxy opens a new channel once
	 * the old one is closed, where the same tag means another delivery.
	 * @param channel the channel as a listener gets it
	 */
	public DeliveryChannel(Channel channel) {
		this(channel, null);
	}

	/**
	 * Creates it for a channel whose deliveries are requeued all at once, by closing the
	 * channel, so that the broker keeps their order.
	 * @param channel the channel as a listener gets it
	 * @param closer closes the channel and returns without waiting; {@code null} if each
	 * delivery can be requeued by its own tag
	 */
	DeliveryChannel(Channel channel, @Nullable Consumer<Channel> closer) {
		this.channel = target(channel);
		this.acknowledgements = new ChannelAcknowledger(this.channel);
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
	 * @return {@code false} if they are back in their queue
	 */
	public boolean open() {
		return !this.givenBack && this.channel.isOpen();
	}

	/**
	 * Whether requeueing one delivery requeues all of them.
	 * @return {@code false} if each can be requeued alone
	 */
	public boolean givesBackAtOnce() {
		return this.closer != null;
	}

	/**
	 * Whether requeueing a delivery leaves its {@code x-delivery-count} alone, as it does
	 * since RabbitMQ 4.3. Older brokers raise it, as they do when the channel closes.
	 * @return {@code false} if requeueing is no better than closing the channel
	 */
	public boolean givesBackUncounted() {
		return this.closer == null && ServerVersion.of(this.channel.getConnection()).givesBackUncounted();
	}

	/** Settles one delivery. */
	synchronized boolean settle(Acknowledgement acknowledgement, String what, Command command) {
		return settleOnce(acknowledgement) && !this.givenBack && attempt(what, () -> {
			command.send();
			if (this.closer == null) {
				this.acknowledgements.settled(acknowledgement.deliveryTag());
			}
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
		});
	}

	private void acknowledgeTags(List<Long> tags) throws IOException {
		if (this.closer == null) {
			this.acknowledgements.acknowledge(tags);
			return;
		}
		// what is requeued stays outstanding until the channel is closed
		for (long tag : tags) {
			this.channel.basicAck(tag, false);
		}
	}

	/**
	 * Its listener is called, and is not to lose the delivery to {@link #giveBackIdle()}.
	 */
	public synchronized void callBegins() {
		this.calls++;
	}

	/** The call has returned. Copies may still be held. */
	public synchronized void callEnds() {
		this.calls--;
	}

	/** Whether copies are held of which no thread waits for the confirms. */
	synchronized boolean holdsIdly() {
		return this.calls == 0 && this.handovers > 0;
	}

	/** A copy of a delivery is about to be published. */
	synchronized void handoverBegins(Acknowledgement acknowledgement) {
		if (acknowledgement.beginOnce()) {
			this.handovers++;
		}
	}

	synchronized boolean settleOnce(Acknowledgement acknowledgement) {
		if (acknowledgement.inHandover()) {
			this.handovers--;
		}
		return acknowledgement.settleOnce();
	}

	/**
	 * Acknowledges one of several messages of a delivery, and the delivery with the last
	 * of them. Both at once, or the others would seem requeued in between.
	 */
	synchronized boolean acknowledgePart(Acknowledgement part) {
		return settleOnce(part) && (part.lastPart() ? part.delivery().acknowledge() : part.open());
	}

	synchronized void released(Acknowledgement acknowledgement) {
		acknowledgement.leave();
	}

	/**
	 * Adds a consumer whose delivery came through the channel.
	 * @param consumerTag its tag, {@code null} if it has none
	 */
	public void deliversTo(@Nullable String consumerTag) {
		if (consumerTag != null && !this.consumers.contains(consumerTag)) {
			this.consumers.add(consumerTag);
		}
	}

	/** Whether a consumer's deliveries have come through the channel. */
	boolean hasConsumer(String consumerTag) {
		return this.consumers.contains(consumerTag);
	}

	/**
	 * How many consumers' deliveries have come through the channel.
	 * @return a number
	 */
	public int consumers() {
		return this.consumers.size();
	}

	/** The broker cancelled a consumer, such as that of a deleted queue. */
	void brokerCancelled() {
		this.cancelledByBroker = true;
	}

	/**
	 * Whether a thread may wait that has a delivery of the channel.
	 * @return {@code false} if the channel is closed, or will be as soon as its threads
	 * return, since the broker cancelled its consumer
	 */
	public boolean worthWaiting() {
		return !this.cancelledByBroker && open();
	}

	/**
	 * Cancels the consumers, one after the other, up to the first that is not answered.
	 * After the broker's answer no more deliveries arrive, and their queues have applied
	 * what was acknowledged before. A consumer that is cancelled already is answered
	 * alike. The client's own {@code basicCancel} would notify the container of a
	 * cancellation that it has not asked for. Never to be called by the thread that reads
	 * the connection.
	 * @param timeout how long the answers may take
	 */
	public void cancelConsumers(Duration timeout) {
		// the next consumer would get what comes behind the deliveries held here; and
		// what a blocked connection does not answer would keep the container from its own
		// cancellation
		if (this.closer != null || BlockedConnections.contains(this.channel.getConnection())) {
			return;
		}
		try {
			// the client waits without a bound for the answer to the channel's last call
			CompletableFuture
				.runAsync(this::cancelConsumers, (task) -> DaemonThreads.start("rabbit-retry-cancel", task))
				.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (ExecutionException | TimeoutException ex) {
			logger.debug("The cancellation of consumers %s was not answered".formatted(this.consumers), ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void cancelConsumers() {
		for (String consumerTag : this.consumers) {
			try {
				this.channel
					.asyncCompletableRpc(new AMQP.Basic.Cancel.Builder().consumerTag(consumerTag).nowait(false).build())
					.join();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
	}

	/**
	 * Requeues all unsettled deliveries, also those that no listener has seen, with one
	 * command: of many, a quorum queue would drop those beyond 32 when the channel
	 * closes. May be called again for what was delivered since. The consumers have to be
	 * cancelled before, or the broker delivers the same messages at once.
	 */
	public synchronized void giveBackAll() {
		this.givenBack = true;
		attempt("requeue", () -> requeue(0, true));
	}

	/** The same, unless the listener is called, whose thread does so at its end. */
	synchronized void giveBackIdle() {
		if (this.calls == 0) {
			giveBackAll();
		}
	}

	/** Guarded by this. */
	void requeue(long deliveryTag, boolean multiple) throws IOException {
		if (this.closer == null) {
			this.channel.basicNack(deliveryTag, multiple, true);
		}
		else {
			this.closer.accept(this.channel);
		}
	}

	/** Whether a delivery is settled, and the command is sent. */
	synchronized boolean settled(Acknowledgement acknowledgement) {
		return acknowledgement.isSettled();
	}

	/**
	 * Waits until no copy of a delivery is on its way any more.
	 * @param deadline until when to wait, as of {@link System#nanoTime()}
	 * @return {@code false} if one still is, or the thread was interrupted
	 */
	public boolean awaitHandovers(long deadline) {
		while (inHandover() && open()) {
			if (deadline - System.nanoTime() <= 0 || Thread.currentThread().isInterrupted()) {
				return false;
			}
			LockSupport.parkNanos(this, POLL_INTERVAL);
		}
		return true;
	}

	/** Under the lock, so that the last acknowledgement is sent before. */
	private synchronized boolean inHandover() {
		return this.handovers > 0;
	}

	/** Closes the channel: the broker requeues what is not settled. */
	private void abandon() {
		this.givenBack = true;
		if (this.closer != null) {
			this.closer.accept(this.channel);
		}
		else {
			DeliveryChannels.abort(this.channel);
		}
	}

	private boolean attempt(String what, Command command) {
		try {
			command.send();
			return true;
		}
		catch (IOException | ShutdownSignalException ex) {
			logger.debug("Could not %s a delivery, its channel is closed".formatted(what), ex);
		}
		catch (Throwable ex) {
			// what the broker got is unknown
			abandon();
			BestEffortLog.error(logger, "Could not %s a delivery, its channel is closed".formatted(what), ex);
		}
		return false;
	}

	interface Command {

		void send() throws IOException;

	}

}
