/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.allocation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Date;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Envelope;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;

/**
 * A container that consumes nothing, and does what others do with a delivery.
 */
final class HandFedContainer extends AbstractMessageListenerContainer {

	private final Channel channel = StubBroker.channel();

	private final BasicProperties properties = new BasicProperties.Builder().deliveryMode(2)
		.contentType("application/octet-stream")
		.messageId("6f9619ff-8b86-d011-b42d-00cf4fc964ff")
		.timestamp(new Date())
		.build();

	private final byte[] body = new byte[256];

	private long tag;

	/**
	 * Delivers a message.
	 * @param acknowledging whether to acknowledge it after that, as a container in
	 * automatic mode does
	 */
	void deliver(boolean acknowledging) {
		Envelope envelope = new Envelope(++this.tag, false, "exchange", "routing-key");
		MessageProperties received = getMessagePropertiesConverter().toMessageProperties(this.properties, envelope,
				"UTF-8");
		received.setConsumerTag("consumer");
		received.setConsumerQueue(getQueueNames()[0]);
		executeListener(this.channel, new Message(this.body, received));
		if (acknowledging) {
			try {
				this.channel.basicAck(this.tag, false);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
	}

	@Override
	protected void doInitialize() {
	}

	@Override
	protected void shutdownAndWaitOrCallback(@Nullable Runnable callback) {
		if (callback != null) {
			callback.run();
		}
	}

}
