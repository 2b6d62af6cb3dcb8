/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.io.EOFException;
import java.io.IOException;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.MalformedFrameException;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.MissedHeartbeatException;
import com.rabbitmq.client.ShutdownSignalException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ReaderFailureTests {

	@Test
	void isWhatTheClientCouldNotRead() {
		assertThat(ReaderFailure.is(signal(null, new StackOverflowError()))).isTrue();
		assertThat(ReaderFailure.is(signal(null, new OutOfMemoryError()))).isTrue();
		assertThat(ReaderFailure.is(signal(null, new MalformedFrameException("too deep")))).isTrue();
		assertThat(ReaderFailure.is(new IOException(signal(null, new StackOverflowError())))).isTrue();
	}

	@Test
	void isWhatTheBrokerCouldNotConvertForTheConsumer() {
		AMQP.Connection.Close close = new AMQP.Connection.Close.Builder().replyCode(541)
			.replyText("INTERNAL_ERROR")
			.build();
		assertThat(ReaderFailure.is(signal(close, null))).isTrue();
		assertThat(ReaderFailure.is(new IOException(signal(close, null)))).isTrue();
	}

	/** As in RabbitMQ 4.3 on a node that is cut off from its cluster. */
	@Test
	void isNoMethodThatFailsOnTheBroker() {
		AMQP.Connection.Close close = new AMQP.Connection.Close.Builder().replyCode(541)
			.replyText("INTERNAL_ERROR - failed consuming from quorum queue 'order.dlq' in vhost '/': nodedown")
			.classId(60)
			.methodId(20)
			.build();
		assertThat(ReaderFailure.is(signal(close, null))).isFalse();
	}

	@Test
	void isNothingThatBrokerOrNetworkDid() {
		AMQP.Connection.Close close = new AMQP.Connection.Close.Builder().replyCode(320).replyText("forced").build();
		assertThat(ReaderFailure.is(signal(close, null))).isFalse();
		assertThat(ReaderFailure.is(signal(null, new EOFException()))).isFalse();
		assertThat(ReaderFailure.is(signal(null, new MissedHeartbeatException("missed")))).isFalse();
		assertThat(ReaderFailure.is(new IOException("refused"))).isFalse();
		assertThat(ReaderFailure.is(null)).isFalse();
	}

	@Test
	void isNothingThatTheApplicationDid() {
		ShutdownSignalException closed = new ShutdownSignalException(true, true, null, "connection");
		closed.initCause(new StackOverflowError());
		assertThat(ReaderFailure.is(closed)).isFalse();
	}

	private static ShutdownSignalException signal(@Nullable Method reason, @Nullable Throwable cause) {
		ShutdownSignalException signal = new ShutdownSignalException(true, false, reason, "connection");
		signal.initCause(cause);
		return signal;
	}

}
