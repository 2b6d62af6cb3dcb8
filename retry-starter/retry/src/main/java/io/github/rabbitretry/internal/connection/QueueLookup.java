/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Connection;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Looks whether queues are there and how many messages they have, on a channel of its
 * own, since the broker closes the channel if one is not. RabbitMQ 4.2.6 and 4.3.0 want
 * the permission to configure the queue for that, later ones any permission on it,
 * earlier ones none.
 */
public final class QueueLookup implements AutoCloseable {

	private final RefusableChannel channel;

	/**
	 * Creates the lookup.
	 * @param connection where to open a channel
	 */
	public QueueLookup(Connection connection) {
		this.channel = new RefusableChannel(connection);
	}

	/**
	 * Looks at a queue.
	 * @param queue its name
	 * @return what is in it, empty if there is no such queue
	 * @throws org.springframework.amqp.AmqpIOException if the connection went away
	 */
	public Optional<Depth> depth(String queue) {
		AtomicReference<Depth> found = new AtomicReference<>();
		this.channel.attempt((open) -> {
			AMQP.Queue.DeclareOk answer = open.queueDeclarePassive(queue);
			found.set(new Depth(answer.getMessageCount(), answer.getConsumerCount(), ""));
		})
			.filter((refusal) -> refusal.code() != AMQP.NOT_FOUND)
			.ifPresent((refusal) -> found.set(new Depth(-1, -1, refusal.text())));
		return Optional.ofNullable(found.get());
	}

	/**
	 * Looks whether a queue is a stream, see {@link StreamProbe}.
	 * @param queue its name
	 * @return {@code false} also if there is no such queue, or it may not be read
	 * @throws org.springframework.amqp.AmqpIOException if the connection went away
	 */
	public boolean isStream(String queue) {
		return StreamProbe.isStream(queue, this.channel);
	}

	/**
	 * Looks at a queue that is never declared here.
	 * @param connectionFactory leads to the broker
	 * @param queue its name
	 * @return what is in it, empty if there is no such queue
	 * @throws org.springframework.amqp.AmqpException if that can't be found out
	 */
	public static Optional<Depth> depth(ConnectionFactory connectionFactory, String queue) {
		return ask(connectionFactory, (lookup) -> lookup.depth(queue));
	}

	/**
	 * Looks why a queue can't be looked at.
	 * @param connectionFactory leads to the broker
	 * @param queue its name
	 * @return what the broker says, empty if it can be looked at
	 * @throws org.springframework.amqp.AmqpException if that can't be found out
	 */
	public static Optional<RefusableChannel.Refusal> refusal(ConnectionFactory connectionFactory, String queue) {
		return ask(connectionFactory, (lookup) -> lookup.channel.attempt((open) -> open.queueDeclarePassive(queue)));
	}

	/**
	 * Looks whether a queue is a stream, see {@link StreamProbe}.
	 * @param connectionFactory leads to the broker
	 * @param queue its name
	 * @return {@code false} also if there is no such queue, or it may not be read
	 * @throws org.springframework.amqp.AmqpException if that can't be found out
	 */
	public static boolean isStream(ConnectionFactory connectionFactory, String queue) {
		return ask(connectionFactory, (lookup) -> lookup.isStream(queue));
	}

	/**
	 * Looks whether a queue may be consumed, see {@link StreamProbe}.
	 * @param connectionFactory leads to the broker
	 * @param queue its name
	 * @return whether the user has the permission to read it
	 * @throws org.springframework.amqp.AmqpException if that can't be found out
	 */
	public static boolean mayRead(ConnectionFactory connectionFactory, String queue) {
		return ask(connectionFactory,
				(lookup) -> StreamProbe.refusal(queue, lookup.channel)
					.filter((refusal) -> refusal.code() == AMQP.ACCESS_REFUSED)
					.isEmpty());
	}

	private static <T> T ask(ConnectionFactory connectionFactory, Function<QueueLookup, T> question) {
		try (org.springframework.amqp.rabbit.connection.Connection opened = ClientConnection.open(connectionFactory);
				QueueLookup lookup = new QueueLookup(ClientConnection.delegate(opened))) {
			return question.apply(lookup);
		}
	}

	@Override
	public void close() {
		this.channel.close();
	}

	/**
	 * What is in a queue.
	 *
	 * @param ready how many messages are ready, -1 if that can't be known without a
	 * permission that consumers need not have
	 * @param consumers how many consumers it has, or -1
	 * @param refusal why that can't be known, empty if it is
	 */
	public record Depth(long ready, int consumers, String refusal) {

		/** Whether it has messages, or consumers that may hold some. */
		public boolean used() {
			return this.ready > 0 || this.consumers > 0;
		}

		/** Whether the broker said it. */
		public boolean known() {
			return this.refusal.isEmpty();
		}

	}

}
