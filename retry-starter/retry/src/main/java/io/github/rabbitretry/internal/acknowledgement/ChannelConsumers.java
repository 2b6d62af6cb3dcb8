/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.acknowledgement;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The consumers whose deliveries have come through a channel.
 */
final class ChannelConsumers {

	private static final Log logger = LogFactory.getLog(ChannelConsumers.class);

	private final Channel channel;

	private final Set<String> tags = ConcurrentHashMap.newKeySet();

	private volatile boolean cancelledByBroker;

	ChannelConsumers(Channel channel) {
		this.channel = channel;
	}

	/**
	 * To be called at each delivery.
	 * @param consumerTag its consumer's tag, {@code null} if it has none
	 */
	void add(@Nullable String consumerTag) {
		if (consumerTag != null && !this.tags.contains(consumerTag)) {
			this.tags.add(consumerTag);
		}
	}

	int count() {
		return this.tags.size();
	}

	boolean contains(String consumerTag) {
		return this.tags.contains(consumerTag);
	}

	/** The broker cancelled one of them, such as that of a deleted queue. */
	void brokerCancelled() {
		this.cancelledByBroker = true;
	}

	boolean cancelledByBroker() {
		return this.cancelledByBroker;
	}

	/**
	 * Cancels them, one after the other, up to the first that is not answered in time.
	 * @param timeout how long an answer may take
	 */
	void cancel(Duration timeout) {
		for (String consumerTag : this.tags) {
			try {
				this.channel
					.asyncCompletableRpc(new AMQP.Basic.Cancel.Builder().consumerTag(consumerTag).nowait(false).build())
					.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
			}
			catch (IOException | ShutdownSignalException | ExecutionException | TimeoutException ex) {
				logger.debug("The end of consumer '%s' was not answered".formatted(consumerTag), ex);
				return;
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				return;
			}
		}
	}

}
