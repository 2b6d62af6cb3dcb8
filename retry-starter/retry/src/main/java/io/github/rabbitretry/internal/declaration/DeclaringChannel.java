/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

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

/**
 * A channel that survives being refused something: the broker closes it then, and the
 * next operation opens another. For one thread.
 */
final class DeclaringChannel implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(DeclaringChannel.class);

	private final Connection connection;

	private @Nullable Channel channel;

	DeclaringChannel(Connection connection) {
		this.connection = connection;
	}

	/**
	 * Tries an operation.
	 * @param operation what to do
	 * @return why the broker refused it, or empty if it did not
	 * @throws BrokerLostException if the connection went away
	 */
	Optional<Refusal> attempt(Operation operation) {
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
			throw new BrokerLostException(ex);
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

	@Override
	public void close() {
		try {
			if (this.channel != null && this.channel.isOpen()) {
				this.channel.close();
			}
		}
		catch (IOException | TimeoutException | ShutdownSignalException ex) {
			logger.debug("The declaring channel did not close in order", ex);
		}
	}

	/** Why the broker closed a channel. */
	record Refusal(int code, String text) {
	}

	/** What is done on a channel. */
	interface Operation {

		void on(Channel channel) throws IOException;

	}

	/** The connection went away in the middle. */
	static final class BrokerLostException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		BrokerLostException(Throwable cause) {
			super("the broker went away while the topology was declared", cause);
		}

	}

}
