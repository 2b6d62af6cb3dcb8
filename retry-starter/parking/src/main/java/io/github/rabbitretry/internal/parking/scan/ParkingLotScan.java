/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.scan;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import com.rabbitmq.client.AMQP.Queue.DeclareOk;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.connection.StreamProbe;
import io.github.rabbitretry.internal.acknowledgement.DeliveryChannel;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * A window of one parking lot, held unacknowledged until it is given back to its place in
 * the queue.
 * <p>
 * A consumer takes the messages and is cancelled. Messages that are parked anew are
 * acknowledged at the end, as one command. How the rest is given back depends on the
 * broker, tried on RabbitMQ 4.0.5 and 4.3.6. Before 4.3 the channel is closed, which
 * keeps the places; a nack puts messages behind the others, and either way they count as
 * delivered once more. From 4.3 on a nack keeps the places and does not count. (Fetched
 * by {@code basic.get}, messages come back in no order on both; while the consumer is not
 * cancelled, a nack has them delivered again at once.)
 */
final class ParkingLotScan {

	private static final Log logger = LogFactory.getLog(ParkingLotScan.class);

	private static final long LONGEST_RETURN = TimeUnit.SECONDS.toNanos(5);

	private final Connection connection;

	private final com.rabbitmq.client.Connection delegate;

	private final Channel channel;

	private final DeliveryChannel deliveries;

	private final ScanWindow window;

	private final List<UnackedMessage> held;

	private final SettlementTransaction transaction;

	private final boolean byNack;

	private ParkingLotScan(Connection connection, Channel channel, DeliveryChannel deliveries, ScanWindow window,
			List<UnackedMessage> held) throws IOException {
		this.connection = connection;
		this.delegate = channel.getConnection();
		this.channel = channel;
		this.deliveries = deliveries;
		this.window = window;
		this.held = held;
		this.transaction = SettlementTransaction.begin(channel);
		this.byNack = deliveries.givesBackUncounted();
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
		DeliveryChannel deliveries = new DeliveryChannel(channel);
		List<UnackedMessage> held = List.of();
		if (queue.getMessageCount() > 0) {
			WindowConsumer consumer = new WindowConsumer(channel, deliveries, settings);
			channel.basicQos(settings.messages());
			String tag = channel.basicConsume(parkingLot, false, StreamProbe.NO_STREAM, consumer);
			held = consumer.await(queue.getMessageCount());
			channel.basicCancel(tag);
		}
		long parked = Math.max(queue.getMessageCount(), held.size());
		boolean othersHold = queue.getConsumerCount() > 0;
		ScanWindow window = new ScanWindow(policy.queue(), parkingLot, held.size(), parked,
				held.size() == parked && !othersHold, othersHold);
		return new ParkingLotScan(connection, channel, deliveries, window, held);
	}

	ScanWindow window() {
		return this.window;
	}

	/** Whether the delivery count of what is given back rises. */
	boolean returnsCount() {
		return !this.byNack;
	}

	/** The messages, the oldest first. */
	List<UnackedMessage> held() {
		return this.held;
	}

	/**
	 * Gives back the messages, and waits until as many are in the queue as there were, so
	 * that the next scan does not find it empty. A copy takes the place of each message
	 * that was parked anew.
	 * @return whether the broker took the acknowledgements of those
	 */
	boolean giveBack() {
		boolean settled = false;
		try {
			settled = settle();
			if (!this.byNack) {
				this.channel.abort();
			}
			Channel counting = this.delegate.createChannel();
			if (counting != null) {
				if (!awaitReady(counting)) {
					this.channel.abort();
					awaitReady(counting);
				}
				counting.abort();
			}
		}
		catch (IOException | ShutdownSignalException ex) {
			logger.debug("The window of '%s' ended with its channel".formatted(this.window.parkingLot()), ex);
		}
		finally {
			abort();
			this.connection.close();
		}
		return settled;
	}

	private boolean settle() {
		if (this.byNack) {
			this.deliveries.giveBackAll();
		}
		return this.transaction.commit();
	}

	private void abort() {
		try {
			this.channel.abort();
		}
		catch (IOException | ShutdownSignalException ex) {
			// it is closed
		}
	}

	private boolean awaitReady(Channel counting) throws IOException {
		long deadline = System.nanoTime() + LONGEST_RETURN;
		while (counting.messageCount(this.window.parkingLot()) < this.window.parked()) {
			if (System.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) {
				return false;
			}
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
		}
		return true;
	}

}
