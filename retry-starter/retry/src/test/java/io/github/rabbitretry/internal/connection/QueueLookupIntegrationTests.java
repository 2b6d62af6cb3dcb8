/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.it.TestBroker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class QueueLookupIntegrationTests {

	/** With it, the broker cuts the text of its refusal. */
	private static final String QUEUE = "looked-up." + "long".repeat(47);

	private final TestBroker broker = TestBroker.connect();

	@AfterEach
	void close() throws Exception {
		this.broker.channel().queueDelete(QUEUE);
		this.broker.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "classic", "quorum", "stream" })
	void aStreamIsToldFromAQueueWithoutTouchingItsMessages(String type) throws Exception {
		this.broker.channel().queueDeclare(QUEUE, true, false, false, Map.of("x-queue-type", type));
		this.broker.send(QUEUE, new BasicProperties(), "{}");
		try (QueueLookup lookup = new QueueLookup(this.broker.channel().getConnection())) {
			assertThat(lookup.isStream("no-such-queue")).isFalse();
			assertThat(lookup.isStream(QUEUE)).isEqualTo(type.equals("stream"));
			assertThat(lookup.isStream(QUEUE)).isEqualTo(type.equals("stream"));
		}
		assertThat(this.broker.channel().consumerCount(QUEUE)).isZero();
		if (!type.equals("stream")) {
			assertThat(this.broker.take(QUEUE).getEnvelope().isRedeliver()).isFalse();
		}
	}

}
