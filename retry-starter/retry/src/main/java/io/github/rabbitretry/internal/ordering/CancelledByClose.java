/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.ordering;

import java.io.IOException;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Consumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;

/**
 * A container's consumer whose channel is closed where the container cancels it. The
 * container learns of a cancellation, which it asked for, and of no shutdown.
 */
final class CancelledByClose implements Consumer {

	private final Consumer consumer;

	private volatile boolean cancelled;

	CancelledByClose(Consumer consumer) {
		this.consumer = consumer;
	}

	/** To be called before the channel is closed. */
	void cancel() {
		this.cancelled = true;
	}

	@Override
	public void handleShutdownSignal(String consumerTag, ShutdownSignalException signal) {
		if (!this.cancelled) {
			this.consumer.handleShutdownSignal(consumerTag, signal);
		}
	}

	@Override
	public void handleConsumeOk(String consumerTag) {
		this.consumer.handleConsumeOk(consumerTag);
	}

	@Override
	public void handleCancelOk(String consumerTag) {
		this.consumer.handleCancelOk(consumerTag);
	}

	@Override
	public void handleCancel(String consumerTag) throws IOException {
		this.consumer.handleCancel(consumerTag);
	}

	@Override
	public void handleRecoverOk(String consumerTag) {
		this.consumer.handleRecoverOk(consumerTag);
	}

	@Override
	public void handleDelivery(String consumerTag, Envelope envelope, BasicProperties properties, byte[] body)
			throws IOException {
		this.consumer.handleDelivery(consumerTag, envelope, properties, body);
	}

}
