/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ReturnListener;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.event.LogText;
import io.github.rabbitretry.internal.handover.OutboundMessage;
import io.github.rabbitretry.internal.topology.ReplayHeaders;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * A channel in confirm mode for batches: a batch is published without waiting, then all
 * of its confirms are waited for. Used by one thread. Not the confirmed publishers, which
 * publish again for ever since they hold a delivery: here the database holds the message,
 * and what is not confirmed is told and decided elsewhere.
 */
final class ReplayChannel implements ConfirmListener, ReturnListener, BlockedListener, AutoCloseable {

	private final Connection connection;

	private final Channel channel;

	private final ConcurrentSkipListMap<Long, ClaimedItem> pending = new ConcurrentSkipListMap<>();

	/**
	 * How often a message found no queue and its confirm is not there yet, which comes
	 * after the return.
	 */
	private final Map<Long, Integer> returned = new HashMap<>();

	private BatchResult result = BatchResult.nothing();

	/** Whether the broker has answered on this channel. */
	private boolean answered;

	/** Counts of client and broker may differ, or confirms may come late. */
	private volatile boolean spoilt;

	private volatile boolean blocked;

	private ReplayChannel(Connection connection, Channel channel) {
		this.connection = connection;
		this.channel = channel;
	}

	static ReplayChannel open(ConnectionFactory connectionFactory) throws IOException {
		ConnectionFactory publisher = connectionFactory.getPublisherConnectionFactory();
		Connection connection = ((publisher != null) ? publisher : connectionFactory).createConnection().getDelegate();
		if (connection == null) {
			throw new AmqpException("the connection factory gives no access to its connection");
		}
		Channel channel = connection.createChannel();
		if (channel == null) {
			throw new IOException("no channel left on the publishing connection");
		}
		return on(connection, channel);
	}

	static ReplayChannel on(Connection connection, Channel channel) throws IOException {
		channel.confirmSelect();
		ReplayChannel opened = new ReplayChannel(connection, channel);
		channel.addConfirmListener(opened);
		channel.addReturnListener(opened);
		connection.addBlockedListener(opened);
		channel.addShutdownListener((cause) -> opened.wakeUp());
		return opened;
	}

	int frameMax() {
		return this.connection.getFrameMax();
	}

	boolean usable() {
		return !this.spoilt && this.channel.isOpen() && !this.blocked;
	}

	/** Why it is not usable, for people. */
	String problem() {
		ShutdownSignalException reason = this.channel.getCloseReason();
		if (reason != null) {
			return "channel or connection closed: " + words(reason);
		}
		return this.blocked ? "the broker blocks publishers, as in a memory or disk alarm"
				: "confirms are missing on this channel";
	}

	private static String words(ShutdownSignalException reason) {
		if (reason.getReason() instanceof AMQP.Channel.Close close) {
			return close.getReplyCode() + " " + LogText.of(close.getReplyText());
		}
		if (reason.getReason() instanceof AMQP.Connection.Close close) {
			return close.getReplyCode() + " " + LogText.of(close.getReplyText());
		}
		return LogText.of(String.valueOf(reason.getMessage()));
	}

	/** Whether the broker has answered here. What is sent first is sent alone. */
	synchronized boolean answered() {
		return this.answered;
	}

	/** What the broker said when it closed the channel and nothing else. */
	AMQP.Channel.@Nullable Close closedByBroker() {
		ShutdownSignalException reason = this.channel.getCloseReason();
		boolean theirs = reason != null && !reason.isHardError() && !reason.isInitiatedByApplication();
		return (theirs && reason.getReason() instanceof AMQP.Channel.Close close) ? close : null;
	}

	/**
	 * Publishes. An error, unlike an exception, leaves open whether that was done:
	 * {@link #await} tells of the message then.
	 * @param item the message
	 * @param copy what to publish
	 * @return {@code false} if nothing was sent, as the channel can't be used
	 * @throws RuntimeException if the client can't publish this message: it was not sent
	 */
	boolean publish(ClaimedItem item, OutboundMessage copy) {
		if (!usable()) {
			return false;
		}
		long sequence = this.channel.getNextPublishSeqNo();
		this.pending.put(sequence, item);
		boolean sent = false;
		try {
			this.channel.basicPublish(copy.exchange(), copy.routingKey(), true, copy.properties(), copy.body());
			sent = true;
			return true;
		}
		catch (AlreadyClosedException ex) {
			// before anything was sent, though other threads may have told of it by now
			return this.pending.remove(sequence) == null;
		}
		catch (IOException ex) {
			// some of it may be on its way
			return true;
		}
		catch (RuntimeException ex) {
			this.pending.remove(sequence);
			throw ex;
		}
		finally {
			if (!sent) {
				// the client has counted this message, the broker perhaps not
				this.spoilt = true;
			}
		}
	}

	/**
	 * Waits for the confirms of what was published.
	 * @param timeout how long
	 * @return {@code false} if some are missing yet
	 */
	synchronized boolean await(Duration timeout) {
		long deadline = System.nanoTime() + timeout.toNanos();
		try {
			while (!this.pending.isEmpty() && this.channel.isOpen()) {
				long left = (deadline - System.nanoTime()) / 1_000_000;
				if (left <= 0) {
					return false;
				}
				wait(left);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return true;
	}

	/**
	 * Tells what became of what was published since the last call. If confirms are
	 * missing, the channel is not used any more: they would be taken for those of other
	 * copies.
	 */
	synchronized BatchResult take() {
		BatchResult result = this.result;
		if (!this.pending.isEmpty()) {
			this.spoilt = true;
			result.unknown().addAll(this.pending.values());
			this.pending.clear();
		}
		this.result = BatchResult.nothing();
		return result;
	}

	private synchronized void wakeUp() {
		notifyAll();
	}

	@Override
	public synchronized void handleAck(long sequence, boolean multiple) {
		take(sequence, multiple, true);
	}

	@Override
	public synchronized void handleNack(long sequence, boolean multiple) {
		take(sequence, multiple, false);
	}

	private void take(long sequence, boolean multiple, boolean positive) {
		this.answered = true;
		if (multiple) {
			Map<Long, ClaimedItem> upTo = this.pending.headMap(sequence, true);
			upTo.values().forEach((item) -> sort(item, positive));
			upTo.clear();
		}
		else {
			ClaimedItem item = this.pending.remove(sequence);
			if (item != null) {
				sort(item, positive);
			}
		}
		if (this.pending.isEmpty()) {
			notifyAll();
		}
	}

	private void sort(ClaimedItem item, boolean positive) {
		if (!positive) {
			this.result.unpublished().add(item);
		}
		else if (this.returned.containsKey(item.parkedId())) {
			this.returned.computeIfPresent(item.parkedId(), (id, count) -> (count > 1) ? count - 1 : null);
			this.result.returned().add(item);
		}
		else {
			this.result.published().add(item);
		}
	}

	@Override
	public synchronized void handleReturn(int replyCode, String replyText, String exchange, String routingKey,
			BasicProperties properties, byte[] body) {
		Map<String, Object> headers = properties.getHeaders();
		if (headers != null && headers.get(ReplayHeaders.REPLAY_ITEM) instanceof Long id) {
			this.returned.merge(id, 1, Integer::sum);
		}
	}

	@Override
	public void handleBlocked(String reason) {
		this.blocked = true;
	}

	@Override
	public void handleUnblocked() {
		this.blocked = false;
	}

	@Override
	public void close() {
		this.connection.removeBlockedListener(this);
		if (this.channel.isOpen()) {
			// waits for the broker's answer, which may never come
			ChannelOpening.background(this::abort);
		}
	}

	private void abort() {
		try {
			this.channel.abort();
		}
		catch (IOException | ShutdownSignalException ex) {
			// it is of no use any more, open or not
		}
	}

}
