/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handler;

import java.io.Serial;
import java.time.Duration;

import io.github.rabbitretry.classify.Reasons;
import org.jspecify.annotations.Nullable;

/**
 * A call of a handler took longer than {@code handler-timeout} of its policy allows, and
 * its thread was interrupted. Stands for whatever the call ended with, which is its
 * cause; a call that returned has none. Counts as {@link Reasons#HANDLER_TIMEOUT}, unless
 * the handler threw something that says itself what to do, or a rule or a classifier of
 * the application says otherwise.
 */
public final class HandlerTimeoutException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param messageType the policy's name
	 * @param timeout the policy's timeout
	 * @param cause what the call threw, or {@code null} if it returned
	 */
	public HandlerTimeoutException(String messageType, Duration timeout, @Nullable Throwable cause) {
		super("handler-timeout %s of message policy '%s' was exceeded, and the handler interrupted".formatted(timeout,
				messageType), cause);
	}

}
