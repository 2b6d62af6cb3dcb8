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

/**
 * Thrown by a handler to park its message immediately, for manual review. Its failure
 * class is {@link FailureClass#PERMANENT_BUSINESS}.
 */
public final class ParkMessageException extends RuntimeException implements ClassifiedFailure {

	@Serial
	private static final long serialVersionUID = 1L;

	private final String reason;

	private ParkMessageException(String reason) {
		super("The handler asks to park: " + reason);
		this.reason = reason;
	}

	/**
	 * Requests to park the message.
	 * @param reason upper case letters, digits and underscores, at most 64; becomes a
	 * metric tag, so use few
	 * @return the exception to throw
	 * @throws IllegalArgumentException if the reason is invalid
	 */
	public static ParkMessageException because(String reason) {
		return new ParkMessageException(Reason.valid(reason));
	}

	/**
	 * Sets the cause of the request.
	 * @param cause the cause; can be set once
	 * @return this exception
	 */
	public ParkMessageException causedBy(Throwable cause) {
		initCause(cause);
		return this;
	}

	@Override
	public FailureClassification classification() {
		return FailureClassification.instructed(FailureClass.PERMANENT_BUSINESS, this.reason, new Instruction.Park());
	}

}
