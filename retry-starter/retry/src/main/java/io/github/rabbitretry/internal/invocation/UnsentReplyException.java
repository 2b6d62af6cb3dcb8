/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.invocation;

import java.io.Serial;

import org.springframework.amqp.listener.adapter.ReplyFailureException;

/**
 * A handler returned a result that could not be sent as a reply. Spring AMQP's exception
 * quotes the result; this one does not.
 */
final class UnsentReplyException extends ReplyFailureException {

	@Serial
	private static final long serialVersionUID = 1L;

	UnsentReplyException(ReplyFailureException failure) {
		super("The handler succeeded, but its result could not be sent as a reply", failure.getReplyTo(),
				(failure.getCause() != null) ? failure.getCause() : failure);
	}

}
