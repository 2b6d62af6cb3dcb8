/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.handler;

import java.io.Serial;

import io.github.rabbitretry.classify.ClassifiedFailure;
import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.Instruction;
import io.github.rabbitretry.classify.Reasons;

/**
 * Thrown by a handler to acknowledge its message without success, because it is no longer
 * needed. No copy is kept. A line is written to the logger
 * {@code io.github.rabbitretry.audit}.
 */
public final class DiscardMessageException extends RuntimeException implements ClassifiedFailure {

	@Serial
	private static final long serialVersionUID = 1L;

	private final String reason;

	private DiscardMessageException(String reason) {
		super("The handler asks to discard: " + reason);
		this.reason = reason;
	}

	/**
	 * Requests to discard a command that later events have made obsolete, with
	 * {@link Reasons#STALE_COMMAND}.
	 * @return the exception to throw
	 */
	public static DiscardMessageException asStale() {
		return new DiscardMessageException(Reasons.STALE_COMMAND);
	}

	/**
	 * Requests to discard the message.
	 * @param reason upper case letters, digits and underscores, at most 64; becomes a
	 * metric tag, so use few
	 * @return the exception to throw
	 * @throws IllegalArgumentException if the reason is invalid
	 */
	public static DiscardMessageException because(String reason) {
		return new DiscardMessageException(Reason.valid(reason));
	}

	@Override
	public FailureClassification classification() {
		return FailureClassification.instructed(FailureClass.PERMANENT_BUSINESS, this.reason,
				new Instruction.Discard());
	}

}
