/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.handover.BrokerText;
import io.github.rabbitretry.internal.handover.ConfirmedPublisher;
import io.github.rabbitretry.internal.handover.HandoverCallback;
import io.github.rabbitretry.internal.handover.OutboundMessage;
import io.github.rabbitretry.internal.handover.PublicationFailure;
import org.jspecify.annotations.Nullable;

/**
 * Moves messages from one queue into another. A batch is published, confirmed, and then
 * acknowledged by one method of the protocol: a process that is killed leaves at most one
 * batch in both queues. Quorum queues drop acknowledgements beyond the 32nd that are in
 * flight when a channel closes, and one is never beyond.
 */
final class MessageMover {

	/** The most messages that are in both queues after a kill. */
	static final int BATCH = 100;

	private static final long EMPTY_MILLIS = 200;

	/** All unacknowledged deliveries of a channel. */
	private static final long ALL = 0;

	private static final long APPLIED = TimeUnit.MILLISECONDS.toNanos(500);

	private static final String DEFAULT_EXCHANGE = "";

	private final Connection connection;

	private final ConfirmedPublisher publisher;

	private final Duration patience;

	/**
	 * Creates the mover.
	 * @param connection to the broker, not the publisher's
	 * @param publisher publishes
	 * @param patience how long confirms, and messages of a queue that is not empty, are
	 * waited for
	 */
	MessageMover(Connection connection, ConfirmedPublisher publisher, Duration patience) {
		this.connection = connection;
		this.publisher = publisher;
		this.patience = patience;
	}

	/**
	 * Moves messages until nothing is ready.
	 * @param from the queue
	 * @param into the other queue
	 * @param most about how many messages at most
	 * @param longest how long at most: who publishes to a queue by its name keeps it full
	 * @throws MigrationException if the broker does not take one, or there is no end;
	 * nothing is lost then
	 */
	void move(String from, String into, long most, Duration longest) {
		long moved = 0;
		long begin = System.nanoTime();
		try (Channel channel = this.connection.createChannel()) {
			channel.basicQos(BATCH);
			Arrivals arrivals = new Arrivals(channel);
			String consumer = channel.basicConsume(from, false, arrivals);
			long idleSince = System.nanoTime();
			while (moved < most) {
				List<Arrivals.Arrival> batch = arrivals.take(BATCH, EMPTY_MILLIS);
				if (batch.isEmpty()) {
					long ready = channel.messageCount(from);
					if (ready == 0) {
						break;
					}
					if (System.nanoTime() - idleSince > this.patience.toNanos()) {
						throw new MigrationException(
								"Queue '%s' has %d messages and delivers none: its single active consumer is another. Stop it."
									.formatted(from, ready));
					}
					continue;
				}
				publishOrReturn(batch, from, into, channel, consumer);
				moved += batch.size();
				idleSince = System.nanoTime();
				if (moved < most && idleSince - begin > longest.toNanos() && channel.messageCount(from) > 0) {
					giveBack(channel, consumer);
					throw new MigrationException(
							"Queue '%s' does not get empty: %d messages were moved into '%s' in %s, and more come. Stop who publishes to it by its name, through the default exchange, or give it more time with --wait, and apply the rest."
								.formatted(from, moved, into, longest));
				}
			}
			giveBack(channel, consumer);
		}
		catch (IOException | ShutdownSignalException | TimeoutException ex) {
			throw new MigrationException(
					"Messages of queue '%s' can't be moved into '%s': %s".formatted(from, into, BrokerText.of(ex)), ex);
		}
	}

	/** In their order, and not by closing the channel, which counts as a failure. */
	private static void giveBack(Channel channel, String consumer) throws IOException {
		channel.basicCancel(consumer);
		channel.basicNack(ALL, true, true);
	}

	private void publishOrReturn(List<Arrivals.Arrival> batch, String from, String into, Channel channel,
			String consumer) throws IOException {
		Confirms confirms = publish(batch, from, into);
		String failure = confirms.await(this.patience);
		if (failure == null) {
			channel.basicAck(batch.get(batch.size() - 1).tag(), true);
			return;
		}
		// those that are there are not to come back, again and again
		List<Arrivals.Arrival> there = confirms.confirmed();
		for (Arrivals.Arrival message : there) {
			channel.basicAck(message.tag(), false);
		}
		giveBack(channel, consumer);
		if (!there.isEmpty()) {
			// acknowledgements in flight are dropped when the channel closes
			LockSupport.parkNanos(APPLIED);
		}
		throw new MigrationException(
				"A message for queue '%s' %s. It stays where it was. Once that is solved, apply the rest."
					.formatted(into, failure));
	}

	/**
	 * Deletes a quorum queue, for which RabbitMQ knows neither if-empty nor if-unused. It
	 * is consumed meanwhile: what arrives in the last moment is published to the other
	 * queue.
	 * @param queue the queue
	 * @param into the other queue
	 */
	void delete(String queue, String into) {
		try (Channel consuming = this.connection.createChannel(); Channel channel = this.connection.createChannel()) {
			Arrivals arrivals = new Arrivals(consuming);
			consuming.basicConsume(queue, false, arrivals);
			channel.queueDelete(queue);
			List<Arrivals.Arrival> rest = arrivals.rest();
			String failure = rest.isEmpty() ? null : publish(rest, queue, into).await(this.patience);
			if (failure != null) {
				throw new MigrationException(
						"Queue '%s' is deleted. Of %d messages that came in the last moment, one for queue '%s' %s: it is lost. Who publishes to a queue by its name has to pause."
							.formatted(queue, rest.size(), into, failure));
			}
		}
		catch (IOException | ShutdownSignalException | TimeoutException ex) {
			throw new MigrationException("Queue '%s' can't be deleted: %s".formatted(queue, BrokerText.of(ex)), ex);
		}
	}

	private Confirms publish(List<Arrivals.Arrival> batch, String from, String into) {
		Confirms confirms = new Confirms(batch.size());
		for (Arrivals.Arrival message : batch) {
			Confirms.Of one = confirms.of(message);
			OutboundMessage copy = new OutboundMessage(DEFAULT_EXCHANGE, into,
					MovedProperties.of(message.envelope(), message.properties(), from, into), message.body());
			Optional<String> problem = this.publisher.submit(copy, this.connection.getFrameMax(), one);
			if (problem.isPresent()) {
				one.settled("can't be published (message id '%s'): %s".formatted(message.properties().getMessageId(),
						problem.get()));
			}
		}
		return confirms;
	}

	/** Counts what has become of a batch. */
	private static final class Confirms {

		private final CountDownLatch left;

		private final AtomicReference<String> failure = new AtomicReference<>();

		private final Queue<Arrivals.Arrival> confirmed = new ConcurrentLinkedQueue<>();

		Confirms(int messages) {
			this.left = new CountDownLatch(messages);
		}

		Of of(Arrivals.Arrival message) {
			return new Of(message);
		}

		List<Arrivals.Arrival> confirmed() {
			return List.copyOf(this.confirmed);
		}

		@Nullable String await(Duration patience) {
			try {
				return this.left.await(patience.toNanos(), TimeUnit.NANOSECONDS) ? this.failure.get()
						: "was not confirmed within " + patience;
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				return "was not waited for";
			}
		}

		/** Of one message. */
		private final class Of implements HandoverCallback {

			private final Arrivals.Arrival message;

			Of(Arrivals.Arrival message) {
				this.message = message;
			}

			void settled(String why) {
				Confirms.this.failure.compareAndSet(null, why);
				Confirms.this.left.countDown();
			}

			@Override
			public void confirmed(Duration elapsed) {
				Confirms.this.confirmed.add(this.message);
				Confirms.this.left.countDown();
			}

			/** Nothing is published again: the originals go back, and people look. */
			@Override
			public boolean failed(PublicationFailure why, String text) {
				settled(text.isEmpty() ? "%s".formatted(why) : "%s: %s".formatted(why, text));
				return false;
			}

			@Override
			public void abandoned() {
				settled("was on a channel that closed");
			}

		}

	}

}
