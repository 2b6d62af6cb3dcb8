/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.replay;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ReturnListener;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.handover.Copy;
import io.github.rabbitretry.topology.ReplayHeaders;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * A channel in confirm mode for batches: a batch is published without waiting, then all
 * of its confirms are waited for. Used by one thread. Not the hand-over lanes, which
 * publish again for ever since they hold a delivery: here the database holds the message,
 * and what is not confirmed is told and decided elsewhere.
 */
final class ReplayChannel implements ConfirmListener, ReturnListener, BlockedListener, AutoCloseable {

	private final Connection connection;

	private final Channel channel;

	private final ConcurrentSkipListMap<Long, Claimed> pending = new ConcurrentSkipListMap<>();

	/** Ids of messages that found no queue; a return comes before its confirm. */
	private final Set<Long> returned = new HashSet<>();

	private Settled settled = Settled.nothing();

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
		return this.channel.isOpen() && !this.blocked;
	}

	/**
	 * Whether the broker closed the channel, since an exchange is missing or forbidden.
	 */
	boolean refusedByBroker() {
		ShutdownSignalException reason = this.channel.getCloseReason();
		return reason != null && !reason.isHardError() && !reason.isInitiatedByApplication();
	}

	void publish(Claimed item, Copy copy) throws IOException {
		if (!usable()) {
			throw new IOException("the channel is closed or the broker blocks publishers");
		}
		this.pending.put(this.channel.getNextPublishSeqNo(), item);
		this.channel.basicPublish(copy.exchange(), copy.routingKey(), true, copy.properties(), copy.body());
	}

	/**
	 * Waits for the confirms of what was published since the last call.
	 * @param timeout how long
	 * @return what became of it
	 * @throws InterruptedException if the thread is interrupted
	 */
	synchronized Settled await(Duration timeout) throws InterruptedException {
		long deadline = System.nanoTime() + timeout.toNanos();
		while (!this.pending.isEmpty() && this.channel.isOpen()) {
			long left = (deadline - System.nanoTime()) / 1_000_000;
			if (left <= 0) {
				break;
			}
			wait(left);
		}
		Settled result = this.settled;
		result.unknown().addAll(this.pending.values());
		this.pending.clear();
		this.settled = Settled.nothing();
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
		if (multiple) {
			Map<Long, Claimed> upTo = this.pending.headMap(sequence, true);
			upTo.values().forEach((item) -> sort(item, positive));
			upTo.clear();
		}
		else {
			Claimed item = this.pending.remove(sequence);
			if (item != null) {
				sort(item, positive);
			}
		}
		if (this.pending.isEmpty()) {
			notifyAll();
		}
	}

	private void sort(Claimed item, boolean positive) {
		if (!positive) {
			this.settled.unknown().add(item);
		}
		else if (this.returned.remove(item.parkedId())) {
			this.settled.returned().add(item);
		}
		else {
			this.settled.published().add(item);
		}
	}

	@Override
	public synchronized void handleReturn(int replyCode, String replyText, String exchange, String routingKey,
			BasicProperties properties, byte[] body) {
		Map<String, Object> headers = properties.getHeaders();
		if (headers != null && headers.get(ReplayHeaders.REPLAY_ITEM) instanceof Long id) {
			this.returned.add(id);
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
		try {
			if (!this.blocked) {
				this.channel.abort();
			}
		}
		catch (IOException | ShutdownSignalException ex) {
			// it is of no use any more, open or not
		}
	}

}
