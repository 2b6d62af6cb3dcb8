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
 * Thrown by a handler to have its message acknowledged without success: nobody needs it
 * any more. No copy is kept. The log {@code io.github.rabbitretry.audit} gets a line.
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
	 * Asks to discard a command that events have overtaken, with
	 * {@link Reasons#STALE_COMMAND}.
	 * @return the exception to throw
	 */
	public static DiscardMessageException asStale() {
		return new DiscardMessageException(Reasons.STALE_COMMAND);
	}

	/**
	 * Asks to discard.
	 * @param reason upper case letters, digits and underscores, at most 64; becomes a
	 * metric tag, so use few
	 * @return the exception to throw
	 * @throws IllegalArgumentException if the reason is none
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
