/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.io.IOException;
import java.net.ConnectException;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ShutdownSignalException;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.AmqpConnectException;
import org.springframework.amqp.AmqpIOException;

import static org.assertj.core.api.Assertions.assertThat;

class BrokerTextTests {

	private static final ShutdownSignalException REFUSED = new ShutdownSignalException(true, false,
			new AMQP.Connection.Close.Builder().replyCode(530)
				.replyText("NOT_ALLOWED - vhost orders not found")
				.classId(10)
				.methodId(40)
				.build(),
			null);

	@Test
	void whatTheBrokerSaidIsFoundInTheCauseOfACause() {
		IOException client = new IOException(REFUSED);
		assertThat(BrokerText.of(new AmqpIOException(client))).isEqualTo("530 NOT_ALLOWED - vhost orders not found");
	}

	@Test
	void aTextIsToldOnce() {
		assertThat(BrokerText.of(new AmqpConnectException(new ConnectException("Connection refused"))))
			.isEqualTo("Connection refused");
	}

	@Test
	void anExceptionWithoutATextIsToldByItsName() {
		assertThat(BrokerText.of(new NullPointerException())).isEqualTo("java.lang.NullPointerException");
	}

	@Test
	void causesThatFormACycleComeToAnEnd() {
		IllegalStateException first = new IllegalStateException("first");
		first.initCause(new IllegalStateException("second", first));
		assertThat(BrokerText.of(first)).isEqualTo("first: second");
	}

	@Test
	void aTextIsOneLineAndNotLong() {
		assertThat(BrokerText.of(new IOException("a\nb\u0085c\u009Bd"))).isEqualTo("a?b?c?d");
		assertThat(BrokerText.of(new IOException("x".repeat(10_000)))).hasSize(512);
	}

}
