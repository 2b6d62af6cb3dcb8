/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.io.IOException;
import java.util.Arrays;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Consumer;
import com.rabbitmq.client.ExceptionHandler;
import com.rabbitmq.client.TopologyRecoveryException;
import io.github.rabbitretry.internal.thread.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Ends the process upon fatal errors in the client's threads. If the application's own
 * handler throws, the client would leave the connection open without a reader, or the
 * channel without its deliveries.
 */
final class ReportingExceptionHandler implements ExceptionHandler {

	private static final Log logger = LogFactory.getLog(ReportingExceptionHandler.class);

	/** Of the thousand frames of an overflown stack. */
	private static final int FRAMES = 30;

	private final ExceptionHandler delegate;

	ReportingExceptionHandler(ExceptionHandler delegate) {
		this.delegate = delegate;
	}

	@Override
	public void handleUnexpectedConnectionDriverException(Connection connection, Throwable exception) {
		FatalErrors.endProcessUpon(exception);
		try {
			if (exception instanceof StackOverflowError) {
				exception.setStackTrace(
						Arrays.copyOf(exception.getStackTrace(), Math.min(FRAMES, exception.getStackTrace().length)));
			}
			this.delegate.handleUnexpectedConnectionDriverException(connection, exception);
		}
		catch (Throwable ex) {
			FatalErrors.endProcessUpon(ex);
			logger.error("A connection's exception handler failed", ex);
		}
	}

	@Override
	public void handleReturnListenerException(Channel channel, Throwable exception) {
		FatalErrors.endProcessUpon(exception);
		this.delegate.handleReturnListenerException(channel, exception);
	}

	@Override
	public void handleConfirmListenerException(Channel channel, Throwable exception) {
		FatalErrors.endProcessUpon(exception);
		this.delegate.handleConfirmListenerException(channel, exception);
	}

	@Override
	public void handleBlockedListenerException(Connection connection, Throwable exception) {
		FatalErrors.endProcessUpon(exception);
		this.delegate.handleBlockedListenerException(connection, exception);
	}

	/**
	 * Closes the channel if the application's handler, which should, fails: the client
	 * would leave it open, and drop what it has received through it.
	 */
	@Override
	public void handleConsumerException(Channel channel, Throwable exception, Consumer consumer, String consumerTag,
			String methodName) {
		FatalErrors.endProcessUpon(exception);
		try {
			this.delegate.handleConsumerException(channel, exception, consumer, consumerTag, methodName);
		}
		catch (Throwable ex) {
			FatalErrors.endProcessUpon(ex);
			DaemonThreads.start("rabbit-retry-close", () -> close(channel));
			logger.error("A channel's exception handler failed", ex);
		}
	}

	private static void close(Channel channel) {
		try {
			channel.abort();
		}
		catch (IOException | RuntimeException ex) {
			logger.debug("The channel was closed before", ex);
		}
	}

	@Override
	public void handleConnectionRecoveryException(Connection connection, Throwable exception) {
		this.delegate.handleConnectionRecoveryException(connection, exception);
	}

	@Override
	public void handleChannelRecoveryException(Channel channel, Throwable exception) {
		this.delegate.handleChannelRecoveryException(channel, exception);
	}

	@Override
	public void handleTopologyRecoveryException(Connection connection, Channel channel,
			TopologyRecoveryException exception) {
		this.delegate.handleTopologyRecoveryException(connection, channel, exception);
	}

}
