/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.util.function.Consumer;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.MalformedFrameException;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.internal.classify.CauseChain;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionListener;

/**
 * Tells connections that a delivery ended, since the client could not read it or the
 * broker could not encode it, from those that broker, network or application ended.
 */
public final class ReaderFailure {

	private ReaderFailure() {
	}

	/**
	 * Whether a delivery ended the connection. RabbitMQ answers with an internal error
	 * when it can't convert an AMQP 1.0 message for the consumer that it delivers it to.
	 * If it names a method, that one failed, such as the declaration of a queue without a
	 * majority.
	 * @param failure what a use of the connection ended with
	 * @return {@code true} if the same message would end the next connection as well
	 */
	public static boolean is(@Nullable Throwable failure) {
		return failure != null && CauseChain.find(failure, ShutdownSignalException.class)
			.filter((signal) -> signal.isHardError() && !signal.isInitiatedByApplication())
			.filter((signal) -> (signal.getReason() == null) ? unreadable(signal.getCause())
					: internalError(signal.getReason()))
			.isPresent();
	}

	/**
	 * Listens for connections that a delivery ended.
	 * @param callback the callback to notify
	 * @return a listener for their factory
	 */
	public static ConnectionListener listener(Consumer<ShutdownSignalException> callback) {
		return new ConnectionListener() {

			@Override
			public void onCreate(Connection connection) {
				// nothing failed yet
			}

			@Override
			public void onShutDown(ShutdownSignalException signal) {
				if (is(signal)) {
					callback.accept(signal);
				}
			}

		};
	}

	private static boolean internalError(Method reason) {
		return reason instanceof AMQP.Connection.Close close && close.getReplyCode() == AMQP.INTERNAL_ERROR
				&& close.getClassId() == 0;
	}

	private static boolean unreadable(@Nullable Throwable cause) {
		return cause instanceof Error || cause instanceof RuntimeException || cause instanceof MalformedFrameException;
	}

}
