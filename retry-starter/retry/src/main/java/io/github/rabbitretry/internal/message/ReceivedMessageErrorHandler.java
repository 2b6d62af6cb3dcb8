/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

import org.springframework.amqp.listener.ConditionalRejectingErrorHandler;
import org.springframework.amqp.listener.ListenerExecutionFailedException;

/**
 * Handles what fails in a container before our own listener or advice gets the message,
 * as Spring AMQP's handler does, with two differences: it discards nothing that has an
 * {@code x-death} header, which would acknowledge it, and it writes no message to the
 * log, headers and all.
 */
public final class ReceivedMessageErrorHandler extends ConditionalRejectingErrorHandler {

	/**
	 * Creates the handler.
	 */
	public ReceivedMessageErrorHandler() {
		super(new Strategy());
		setDiscardFatalsWithXDeath(false);
	}

	private static final class Strategy extends DefaultExceptionStrategy {

		@Override
		protected void logFatalException(ListenerExecutionFailedException failure, Throwable cause) {
			this.logger.warn("A message is rejected and dead-lettered: %s".formatted(cause.getClass().getName()));
		}

	}

}
