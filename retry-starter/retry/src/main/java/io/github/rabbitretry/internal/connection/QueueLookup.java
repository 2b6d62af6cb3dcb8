/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpIOException;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Looks whether queues are there and how many messages they have, on a channel of its
 * own, since the broker closes the channel if one is not. RabbitMQ 4.2.6 and 4.3.0 want
 * the permission to configure the queue for that, later ones any permission on it,
 * earlier ones none.
 */
public final class QueueLookup implements AutoCloseable {

	private static final int ACCESS_REFUSED = 403;

	private static final int NOT_FOUND = 404;

	private final Connection connection;

	private @Nullable Channel channel;

	/**
	 * Creates the lookup.
	 * @param connection where to open a channel
	 */
	public QueueLookup(Connection connection) {
		this.connection = connection;
	}

	/**
	 * Counts what is ready in a queue.
	 * @param queue its name
	 * @return how many messages, empty if there is no such queue
	 * @throws IOException if that can't be found out
	 */
	public OptionalLong ready(String queue) throws IOException {
		Optional<Depth> found = look(queue);
		return found.isPresent() ? OptionalLong.of(found.get().ready()) : OptionalLong.empty();
	}

	private Optional<Depth> look(String queue) throws IOException {
		try {
			AMQP.Queue.DeclareOk found = channel().queueDeclarePassive(queue);
			return Optional.of(new Depth(found.getMessageCount(), found.getConsumerCount()));
		}
		catch (IOException ex) {
			if (hasCode(ex, NOT_FOUND)) {
				return Optional.empty();
			}
			throw ex;
		}
	}

	/**
	 * Looks whether a queue is a stream, see {@link StreamProbe}.
	 * @param queue its name
	 * @return {@code false} also if there is no such queue, or it may not be read
	 * @throws IOException if that can't be found out
	 */
	public boolean isStream(String queue) throws IOException {
		return probe(queue).filter((refusal) -> StreamProbe.isOfStream(refusal.getReplyText())).isPresent();
	}

	private Optional<AMQP.Channel.Close> probe(String queue) throws IOException {
		Channel current = channel();
		try {
			StreamProbe.consume(current, queue);
			current.abort();
			return Optional.empty();
		}
		catch (IOException ex) {
			Optional<AMQP.Channel.Close> refusal = refusal(ex);
			if (refusal.isEmpty()) {
				throw ex;
			}
			return refusal;
		}
	}

	/**
	 * Looks at a queue that is never declared here.
	 * @param connectionFactory leads to the broker
	 * @param queue its name
	 * @return what is in it, empty if there is no such queue
	 * @throws AmqpIOException if that can't be found out
	 */
	public static Optional<Depth> depth(ConnectionFactory connectionFactory, String queue) {
		return ask(connectionFactory, (lookup) -> {
			try {
				return lookup.look(queue);
			}
			catch (IOException ex) {
				if (notPermitted(ex)) {
					return Optional.of(new Depth(-1, -1));
				}
				throw ex;
			}
		});
	}

	/**
	 * Looks whether a queue is a stream, see {@link StreamProbe}.
	 * @param connectionFactory leads to the broker
	 * @param queue its name
	 * @return {@code false} also if there is no such queue, or it may not be read
	 * @throws AmqpIOException if that can't be found out
	 */
	public static boolean isStream(ConnectionFactory connectionFactory, String queue) {
		return ask(connectionFactory, (lookup) -> lookup.isStream(queue));
	}

	/**
	 * Looks whether a queue may be consumed, see {@link StreamProbe}.
	 * @param connectionFactory leads to the broker
	 * @param queue its name
	 * @return whether the user has the permission to read it
	 * @throws AmqpIOException if that can't be found out
	 */
	public static boolean mayRead(ConnectionFactory connectionFactory, String queue) {
		return ask(connectionFactory,
				(lookup) -> lookup.probe(queue)
					.filter((refusal) -> refusal.getReplyCode() == ACCESS_REFUSED)
					.isEmpty());
	}

	private static <T> T ask(ConnectionFactory connectionFactory, Question<T> question) {
		try (org.springframework.amqp.rabbit.connection.Connection opened = ClientConnection.open(connectionFactory);
				QueueLookup lookup = new QueueLookup(ClientConnection.delegate(opened))) {
			return question.ask(lookup);
		}
		catch (IOException ex) {
			throw new AmqpIOException(ex);
		}
		catch (ShutdownSignalException ex) {
			throw new AmqpIOException(new IOException(ex));
		}
	}

	private Channel channel() throws IOException {
		Channel current = this.channel;
		if (current == null || !current.isOpen()) {
			current = this.connection.createChannel();
			if (current == null) {
				throw new IOException("no channel left on the connection");
			}
			this.channel = current;
		}
		return current;
	}

	/**
	 * Whether a question was refused.
	 * @param failure what came of it
	 * @return whether the user lacks a permission
	 */
	public static boolean notPermitted(IOException failure) {
		return hasCode(failure, ACCESS_REFUSED);
	}

	private static boolean hasCode(IOException failure, int code) {
		return refusal(failure).filter((close) -> close.getReplyCode() == code).isPresent();
	}

	private static Optional<AMQP.Channel.Close> refusal(IOException failure) {
		return (failure.getCause() instanceof ShutdownSignalException signal
				&& signal.getReason() instanceof AMQP.Channel.Close close) ? Optional.of(close) : Optional.empty();
	}

	@Override
	public void close() {
		Channel current = this.channel;
		if (current != null) {
			try {
				current.close();
			}
			catch (IOException | TimeoutException | ShutdownSignalException ex) {
				// closed already
			}
		}
	}

	private interface Question<T> {

		T ask(QueueLookup lookup) throws IOException;

	}

	/**
	 * What is in a queue.
	 *
	 * @param ready how many messages are ready, -1 if that can't be known without a
	 * permission that consumers need not have
	 * @param consumers how many consumers it has, or -1
	 */
	public record Depth(long ready, long consumers) {

		/** Whether it has messages, or consumers that may hold some. */
		public boolean used() {
			return this.ready > 0 || this.consumers > 0;
		}

	}

}
