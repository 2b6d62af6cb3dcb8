/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.ShutdownSignalException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpIOException;

/**
 * A channel that survives being refused something: the broker closes it then, and the
 * next operation opens another. For one thread.
 */
public final class RefusableChannel implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(RefusableChannel.class);

	private final Connection connection;

	private @Nullable Channel channel;

	/**
	 * Creates it.
	 * @param connection where to open channels
	 */
	public RefusableChannel(Connection connection) {
		this.connection = connection;
	}

	/**
	 * Tries an operation.
	 * @param operation what to do
	 * @return why the broker refused it, or empty if it did not
	 * @throws AmqpIOException if the connection went away
	 */
	public Optional<Refusal> attempt(Operation operation) {
		try {
			operation.on(channel());
			return Optional.empty();
		}
		catch (IOException | ShutdownSignalException ex) {
			ShutdownSignalException signal = (ex instanceof ShutdownSignalException thrown) ? thrown
					: (ex.getCause() instanceof ShutdownSignalException cause) ? cause : null;
			Method reason = (signal != null) ? signal.getReason() : null;
			if (reason instanceof AMQP.Channel.Close close) {
				return Optional.of(new Refusal(close.getReplyCode(), close.getReplyText()));
			}
			throw new AmqpIOException("the broker went away", ex);
		}
	}

	private Channel channel() throws IOException {
		Channel current = this.channel;
		if (current == null || !current.isOpen()) {
			current = ClientConnection.channel(this.connection);
			this.channel = current;
		}
		return current;
	}

	@Override
	public void close() {
		try {
			if (this.channel != null && this.channel.isOpen()) {
				this.channel.close();
			}
		}
		catch (IOException | TimeoutException | ShutdownSignalException ex) {
			logger.debug("A channel did not close in order", ex);
		}
	}

	/**
	 * Why the broker closed a channel.
	 *
	 * @param code its reply code
	 * @param text its own words
	 */
	public record Refusal(int code, String text) {
	}

	/** What is done on a channel. */
	public interface Operation {

		/**
		 * Does it.
		 * @param channel which is open
		 * @throws IOException if it fails
		 */
		void on(Channel channel) throws IOException;

	}

}
