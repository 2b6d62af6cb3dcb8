/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.util.Optional;
import java.util.function.Supplier;

import io.github.rabbitretry.internal.connection.QueueLookup;
import io.github.rabbitretry.internal.connection.ReadRefusals;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
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

	private volatile boolean idle;

	private volatile boolean stream;

	private volatile boolean refused;

	private volatile @Nullable Boolean found;

	SecondContainer(SecondQueue queue, Supplier<ConnectionFactory> connections) {
		super(connections.get());
		this.queue = queue;
		this.connections = connections;
		if (queue.former() && connections.get() instanceof AbstractConnectionFactory factory) {
			factory.addChannelListener(ReadRefusals.listener((name, why) -> refused(name)));
		}
	}

	private void refused(String name) {
		if (name.equals(this.queue.name())) {
			this.refused = true;
			this.missing = true;
		}
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

	/** Whether it runs without messages, and need not. */
	boolean inVain() {
		return (this.missing || this.idle) && this.queue.former() && isRunning();
	}

	/** Whether its queue existed at the last look, and could be consumed. */
	boolean exists() {
		return !this.missing;
	}

	/**
	 * To be called with an ordered queue: another instance begins with the new queue only
	 * when nothing consumes the former one.
	 * @param idle whether there is nothing to consume
	 */
	void idle(boolean idle) {
		this.idle = idle;
	}

	/**
	 * Whether its queue is to be consumed.
	 * @return {@code false} if it belongs to a former work queue and does not exist, or
	 * has no messages that would have to be handled in order
	 */
	boolean hasQueue() {
		if (!this.queue.former()) {
			return true;
		}
		Optional<QueueLookup.Depth> depth = QueueLookup.depth(this.connections.get(), this.queue.name());
		if (!Boolean.valueOf(depth.isPresent()).equals(this.found)) {
			this.found = depth.isPresent();
			this.stream = depth.isPresent() && QueueLookup.isStream(this.connections.get(), this.queue.name());
			log(depth);
		}
		this.refused = this.refused && depth.isPresent()
				&& !QueueLookup.mayRead(this.connections.get(), this.queue.name());
		this.missing = depth.isEmpty() || this.stream || this.refused;
		this.idle = this.queue.ordered() && depth.filter((found) -> found.ready() != 0).isEmpty();
		return !this.missing && !this.idle;
	}

	private void log(Optional<QueueLookup.Depth> depth) {
		String queue = "'%s', a former queue of message policy '%s',".formatted(this.queue.name(),
				this.queue.policy().messageType());
		if (this.stream) {
			queueLogger.warn("Does not consume %s since it is a stream".formatted(queue));
		}
		else if (depth.isPresent()) {
			long ready = depth.get().ready();
			queueLogger.info("Also consumes %s with %s messages ready".formatted(queue,
					(ready < 0) ? "an unknown number of" : String.valueOf(ready)));
		}
		else if (!this.queue.quarantine()) {
			queueLogger.info(
					"Queue %s does not exist. Remove it from former-queues once no earlier version of this service runs"
						.formatted(queue));
		}
	}

}
