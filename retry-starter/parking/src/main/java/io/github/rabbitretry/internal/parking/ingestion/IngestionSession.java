/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ingestion;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.connection.ClientConnection;
import io.github.rabbitretry.internal.connection.QueueLookup;
import io.github.rabbitretry.internal.connection.ReaderFailure;
import io.github.rabbitretry.internal.acknowledgement.ChannelAcknowledger;
import io.github.rabbitretry.internal.acknowledgement.DeliveryChannel;
import io.github.rabbitretry.internal.parking.ledger.LedgerHealth;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.RabbitUtils;

/**
 * The work of the ingestion on one channel, until the application stops or the channel
 * closes. Whatever happens, only what is stored is acknowledged; at the end the rest is
 * given back.
 */
final class IngestionSession implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(IngestionSession.class);

	/** How long to wait for a batch to become full. */
	private static final Duration GATHERING = Duration.ofMillis(100);

	/** For a queue that the broker closes the channel for. */
	private static final Duration REFUSED = Duration.ofMinutes(1);

	private final Channel channel;

	private final QueueLookup queues;

	private final IngestionBuffer buffer;

	private final List<ParkingLotSubscription> subscriptions;

	/** Queues that are left alone, and until when; outlives the session. */
	private final Map<String, Long> refused;

	private final IngestionSettings settings;

	private final LedgerHealth health;

	private final ChannelAcknowledger acknowledgements;

	IngestionSession(Connection connection, List<String> parkingLots, IngestionSettings settings,
			Map<String, Long> refused, AdoptedQueues adopted, LedgerHealth health) throws IOException {
		this.channel = ClientConnection.channel(connection);
		this.acknowledgements = new ChannelAcknowledger(this.channel);
		this.queues = new QueueLookup(connection);
		this.buffer = new IngestionBuffer(2 * settings.batchBytes());
		this.settings = settings;
		this.refused = refused;
		this.health = health;
		this.subscriptions = parkingLots.stream()
			.map((queue) -> new ParkingLotSubscription(queue, this.buffer, settings.prefetch(), adopted))
			.toList();
		this.subscriptions.forEach((subscription) -> {
			Long until = refused.get(subscription.queue());
			if (until != null) {
				subscription.postpone(until);
			}
		});
	}

	/**
	 * Works.
	 * @param writer stores a batch; returns those that are stored once it is committed
	 * @param stopping whether to end
	 * @return {@code false} if a delivery ended the connection
	 * @throws IOException if the channel is broken
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean work(ParkedBatchWriter writer, BooleanSupplier stopping) throws IOException, InterruptedException {
		try {
			storeAll(writer, stopping);
		}
		catch (IOException | AmqpException | ShutdownSignalException ex) {
			if (!endedByDelivery()) {
				throw ex;
			}
		}
		return !endedByDelivery();
	}

	private boolean endedByDelivery() {
		return ReaderFailure.is(this.channel.getCloseReason());
	}

	private void storeAll(ParkedBatchWriter writer, BooleanSupplier stopping) throws IOException, InterruptedException {
		while (!stopping.getAsBoolean() && this.channel.isOpen()) {
			keepUp();
			List<ParkedDelivery> batch = this.buffer.take(this.settings.batchSize(), this.settings.batchBytes(),
					GATHERING);
			if (!batch.isEmpty()) {
				List<Long> stored = writer.write(batch, this.channel::isOpen);
				this.buffer.release(batch);
				this.acknowledgements.acknowledge(stored);
			}
		}
	}

	private void keepUp() throws IOException {
		boolean allWell = true;
		for (ParkingLotSubscription subscription : this.subscriptions) {
			try {
				subscription.keepUp(this.channel, this.acknowledgements, this.queues);
				allWell &= !isRefused(subscription);
			}
			catch (IOException | AmqpException ex) {
				if (endedByDelivery()) {
					throw ex;
				}
				this.health.problem(LedgerHealth.NOT_CONSUMED, ex);
				logger.error("Parking lot '%s' can't be consumed; tried again in %s".formatted(subscription.queue(),
						REFUSED), ex);
				long until = System.nanoTime() + REFUSED.toNanos();
				subscription.postpone(until);
				this.refused.put(subscription.queue(), until);
				if (!this.channel.isOpen()) {
					throw ex;
				}
				allWell = false;
			}
		}
		if (allWell) {
			this.health.solved(LedgerHealth.NOT_CONSUMED);
		}
	}

	private boolean isRefused(ParkingLotSubscription subscription) {
		Long until = this.refused.get(subscription.queue());
		if (until != null && until - System.nanoTime() <= 0) {
			this.refused.remove(subscription.queue(), until);
			return false;
		}
		return until != null;
	}

	/**
	 * Gives back what is not acknowledged. Ending a consumer has the broker apply its
	 * acknowledgements; a channel that closes at once may cost some.
	 */
	@Override
	public void close() {
		try {
			if (this.channel.isOpen()) {
				for (ParkingLotSubscription subscription : this.subscriptions) {
					subscription.end(this.channel);
				}
				// not as failed deliveries, which the end of the channel makes of them
				new DeliveryChannel(this.channel).giveBackAll();
			}
		}
		catch (IOException | ShutdownSignalException ex) {
			logger.debug("The channel is closed; the broker has the messages again", ex);
		}
		finally {
			this.queues.close();
			RabbitUtils.closeChannel(this.channel);
		}
	}

}
