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
 * Thrown by a handler to give its delivery back to the queue, for another consumer: a
 * negative acknowledgement. The very message is delivered again at once, no copy is made
 * and no broker attempt is used up.
 * <p>
 * Once only: a delivery that the broker marks as delivered before is retried through the
 * ring instead, as after {@link RetryLaterException} with the back-off's delay, or a
 * message that nobody wants would go round as fast as the broker can.
 */
public final class ReturnMessageException extends RuntimeException implements ClassifiedFailure {

	@Serial
	private static final long serialVersionUID = 1L;

	private final String reason;

	private ReturnMessageException(String reason) {
		super("The handler gives the delivery back: " + reason);
		this.reason = reason;
	}

	/**
	 * Asks to give the delivery back, with {@link Reasons#RETURNED}.
	 * @return the exception to throw
	 */
	public static ReturnMessageException toQueue() {
		return new ReturnMessageException(Reasons.RETURNED);
	}

	/**
	 * Asks to give the delivery back.
	 * @param reason upper case letters, digits and underscores, at most 64; becomes a
	 * metric tag if the message is retried instead, so use few
	 * @return the exception to throw
	 * @throws IllegalArgumentException if the reason is none
	 */
	public static ReturnMessageException because(String reason) {
		return new ReturnMessageException(Reason.valid(reason));
	}

	@Override
	public FailureClassification classification() {
		return FailureClassification.instructed(FailureClass.TRANSIENT, this.reason, new Instruction.Return());
	}

}
