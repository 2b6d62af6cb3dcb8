/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.scan;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import com.rabbitmq.client.AMQP.Queue.DeclareOk;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.policy.MessagePolicy;

import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * A window of one parking lot, held unacknowledged until it is given back. What was not
 * acknowledged by then is in the queue again, at its old place.
 * <p>
 * It keeps its place only like this, tried on RabbitMQ 4.0.5 and 4.3.6 with 1,000 of
 * 1,500 messages: a consumer takes them and the channel is closed. Given back by nack,
 * 4.0 puts them behind the others; fetched by {@code basic.get}, they come back in no
 * order at all, on both. Either way they count as redelivered, and their delivery count
 * has grown by one, which a parking lot has no limit for.
 */
final class ParkingLotScan {

	private static final long LONGEST_RETURN = TimeUnit.SECONDS.toNanos(5);

	private final Connection connection;

	private final com.rabbitmq.client.Connection delegate;

	private final Channel channel;

	private final ScanWindow window;

	private final List<Held> held;

	private ParkingLotScan(Connection connection, Channel channel, ScanWindow window, List<Held> held) {
		this.connection = connection;
		this.delegate = channel.getConnection();
		this.channel = channel;
		this.window = window;
		this.held = held;
	}

	static ParkingLotScan open(ConnectionFactory connectionFactory, MessagePolicy policy, ScanSettings settings) {
		String parkingLot = policy.topology().parkingLot();
		try {
			Connection connection = connectionFactory.createConnection();
			// not Spring's channel: closing one of those only puts it into its cache
			com.rabbitmq.client.Connection delegate = connection.getDelegate();
			Channel channel = (delegate != null) ? delegate.createChannel() : null;
			if (channel == null) {
				throw new IOException("no channel left on the connection");
			}
			try {
				return gather(connection, channel, policy, settings);
			}
			catch (IOException | RuntimeException ex) {
				channel.abort();
				connection.close();
				throw ex;
			}
		}
		catch (IOException | RuntimeException ex) {
			throw ScanRefusedException.unreachable(parkingLot, ex);
		}
	}

	private static ParkingLotScan gather(Connection connection, Channel channel, MessagePolicy policy,
			ScanSettings settings) throws IOException {
		String parkingLot = policy.topology().parkingLot();
		DeclareOk queue = channel.queueDeclarePassive(parkingLot);
		List<Held> held = List.of();
		if (queue.getMessageCount() > 0) {
			Gathering gathering = new Gathering(channel, settings);
			channel.basicQos(settings.messages());
			String tag = channel.basicConsume(parkingLot, false, gathering);
			held = gathering.await(queue.getMessageCount());
			channel.basicCancel(tag);
		}
		long parked = Math.max(queue.getMessageCount(), held.size());
		boolean othersHold = queue.getConsumerCount() > 0;
		ScanWindow window = new ScanWindow(policy.queue(), parkingLot, held.size(), parked,
				held.size() == parked && !othersHold, othersHold);
		return new ParkingLotScan(connection, channel, window, held);
	}

	ScanWindow window() {
		return this.window;
	}

	/** The messages, the oldest first. */
	List<Held> held() {
		return this.held;
	}

	/**
	 * Gives back what was not acknowledged. A quorum queue takes messages back after the
	 * broker has confirmed that the channel is closed: waits, so that the next scan does
	 * not find it empty.
	 * @param settled how many were acknowledged
	 */
	void giveBack(long settled) {
		try {
			this.channel.abort();
			Channel fresh = this.held.isEmpty() ? null : this.delegate.createChannel();
			if (fresh != null) {
				awaitReady(fresh, this.window.parked() - settled);
				fresh.abort();
			}
		}
		catch (IOException | ShutdownSignalException ex) {
			// closed or broken: either way the broker has the messages
		}
		finally {
			this.connection.close();
		}
	}

	private void awaitReady(Channel fresh, long expected) throws IOException {
		long deadline = System.nanoTime() + LONGEST_RETURN;
		while (fresh.messageCount(this.window.parkingLot()) < expected && System.nanoTime() - deadline < 0
				&& !Thread.currentThread().isInterrupted()) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
		}
	}

}
