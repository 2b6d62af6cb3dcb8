/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;

/**
 * Closes a channel even if there is no memory for that at first: until the broker knows
 * of it, the deliveries of the channel belong to this process.
 */
public final class ChannelClosing {

	private static final long AGAIN = TimeUnit.MILLISECONDS.toNanos(100);

	private static final int TIMEOUT_MILLIS = 1_000;

	private final Channel channel;

	private final Command command;

	private boolean tried;

	/**
	 * Creates it.
	 * @param channel the channel, no proxy
	 * @param command closes it
	 */
	public ChannelClosing(Channel channel, Command command) {
		this.channel = channel;
		this.command = command;
	}

	/**
	 * Tries to close the channel. May be called again after an {@link Error}.
	 * @throws IOException if the command does
	 * @throws TimeoutException if the command does
	 */
	void attempt() throws IOException, TimeoutException {
		if (this.tried && !this.channel.isOpen()) {
			// the client counts it as closed before it has told the broker
			this.channel.getConnection()
				.abort(AMQP.INTERNAL_ERROR, "There was no memory to close a channel", TIMEOUT_MILLIS);
			return;
		}
		this.tried = true;
		this.command.run();
	}

	/**
	 * Closes the channel, and waits until there is memory for it.
	 * @throws IOException if the command does
	 * @throws TimeoutException if the command does
	 */
	public void complete() throws IOException, TimeoutException {
		while (true) {
			try {
				attempt();
				return;
			}
			catch (Error ex) {
				LockSupport.parkNanos(AGAIN);
			}
		}
	}

	/** Closes a channel. */
	public interface Command {

		/**
		 * Closes it.
		 * @throws IOException if the connection is broken
		 * @throws TimeoutException if the broker does not answer
		 */
		void run() throws IOException, TimeoutException;

	}

}
