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
 * Thrown by a handler to return its delivery to the queue, for another consumer, with a
 * negative acknowledgement. The message itself is redelivered immediately; no copy is
 * made and no broker attempt is used.
 * <p>
 * This works only once: a delivery that the broker marks as redelivered is retried
 * through the ring instead, as after {@link RetryLaterException} with the back-off's
 * delay. Otherwise a message that no consumer accepts would be redelivered in a hot loop.
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
	 * Requests to return the delivery, with {@link Reasons#RETURNED}.
	 * @return the exception to throw
	 */
	public static ReturnMessageException toQueue() {
		return new ReturnMessageException(Reasons.RETURNED);
	}

	/**
	 * Requests to return the delivery.
	 * @param reason upper case letters, digits and underscores, at most 64; becomes a
	 * metric tag if the message is retried instead, so use few
	 * @return the exception to throw
	 * @throws IllegalArgumentException if the reason is invalid
	 */
	public static ReturnMessageException because(String reason) {
		return new ReturnMessageException(Reason.valid(reason));
	}

	@Override
	public FailureClassification classification() {
		return FailureClassification.instructed(FailureClass.TRANSIENT, this.reason, new Instruction.Return());
	}

}
