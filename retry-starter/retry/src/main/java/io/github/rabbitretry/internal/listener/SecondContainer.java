/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.util.OptionalLong;
import java.util.function.Supplier;

import io.github.rabbitretry.internal.connection.QueueLookup;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;

/**
 * The container of a second queue.
 */
final class SecondContainer extends DirectMessageListenerContainer {

	private static final Log queueLogger = LogFactory.getLog(SecondContainer.class);

	private final SecondQueue queue;

	private final Supplier<ConnectionFactory> connections;

	private volatile boolean missing;

	private volatile @Nullable Boolean found;

	SecondContainer(SecondQueue queue, Supplier<ConnectionFactory> connections) {
		super(connections.get());
		this.queue = queue;
		this.connections = connections;
	}

	/** That of quarantines changes once a message has ended the connection. */
	@Override
	public ConnectionFactory getConnectionFactory() {
		return (this.queue != null && this.queue.quarantine()) ? this.connections.get() : super.getConnectionFactory();
	}

	/** Spring AMQP would look again every ten seconds, and log an error each time. */
	@Override
	protected void publishMissingQueueEvent(String name) {
		this.missing = true;
		super.publishMissingQueueEvent(name);
	}

	/** Whether it runs without a queue, and need not. */
	boolean inVain() {
		return this.missing && this.queue.former() && isRunning();
	}

	/**
	 * Whether its queue can be consumed.
	 * @return {@code false} if it belongs to a former work queue and does not exist
	 */
	boolean hasQueue() {
		if (!this.queue.former()) {
			return true;
		}
		OptionalLong ready = QueueLookup.consumable(this.connections.get(), this.queue.name());
		if (!Boolean.valueOf(ready.isPresent()).equals(this.found)) {
			this.found = ready.isPresent();
			log(ready);
		}
		this.missing = ready.isEmpty();
		return ready.isPresent();
	}

	private void log(OptionalLong ready) {
		String queue = "'%s', a former queue of message policy '%s',".formatted(this.queue.name(),
				this.queue.policy().messageType());
		if (ready.isPresent()) {
			String number = (ready.getAsLong() < 0) ? "an unknown number of" : String.valueOf(ready.getAsLong());
			queueLogger.info("Also consumes %s with %s messages ready".formatted(queue, number));
		}
		else if (!this.queue.quarantine()) {
			queueLogger.info(
					"Queue %s does not exist. Remove it from former-queues once no earlier version of this service runs"
						.formatted(queue));
		}
	}

}
