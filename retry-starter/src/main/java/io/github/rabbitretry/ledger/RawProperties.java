/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.ledger;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Envelope;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.support.MessagePropertiesConverter;

/**
 * Properties that are not converted, so that none is lost and none, however odd, keeps a
 * message from being read.
 */
final class RawProperties extends MessageProperties {

	private static final long serialVersionUID = 1L;

	private final transient BasicProperties received;

	private RawProperties(BasicProperties received) {
		this.received = received;
	}

	BasicProperties received() {
		return this.received;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return this == other;
	}

	@Override
	public int hashCode() {
		return System.identityHashCode(this);
	}

	/** Reads, and never writes. */
	static final class Converter implements MessagePropertiesConverter {

		@Override
		public MessageProperties toMessageProperties(BasicProperties source, @Nullable Envelope envelope,
				String charset) {
			RawProperties properties = new RawProperties(source);
			if (envelope != null) {
				properties.setDeliveryTag(envelope.getDeliveryTag());
				properties.setRedelivered(envelope.isRedeliver());
			}
			return properties;
		}

		@Override
		public BasicProperties fromMessageProperties(MessageProperties source, String charset) {
			throw new UnsupportedOperationException("nothing is published");
		}

	}

}
