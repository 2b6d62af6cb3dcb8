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
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler to report a business rejection: an event is published to the
 * policy's {@code rejection.exchange} and confirmed, and only then is the message
 * acknowledged. A rejection is a business outcome and not a failure, so the message is
 * not parked, unless the policy has no {@code rejection.exchange} or the event cannot be
 * converted.
 * <p>
 * The event may be published twice, as the message may be delivered twice; both have the
 * same message id.
 */
public final class RejectMessageException extends RuntimeException implements ClassifiedFailure {

	@Serial
	private static final long serialVersionUID = 1L;

	private final String reason;

	private transient @Nullable Object event;

	private RejectMessageException(String reason) {
		super("The business rejects: " + reason);
		this.reason = reason;
	}

	/**
	 * Rejects with the message's own body as the event, unless {@link #with(Object)} is
	 * called.
	 * @param reason upper case letters, digits and underscores, at most 64; becomes a
	 * metric tag, so use few
	 * @return the exception to throw
	 * @throws IllegalArgumentException if the reason is invalid
	 */
	public static RejectMessageException because(String reason) {
		return new RejectMessageException(Reason.valid(reason));
	}

	/**
	 * Sets the event. Replaces the message's own body.
	 * @param event its payload, converted by the application's {@code MessageConverter}
	 * @return this exception
	 */
	public RejectMessageException with(Object event) {
		this.event = event;
		return this;
	}

	@Override
	public FailureClassification classification() {
		return FailureClassification.instructed(FailureClass.PERMANENT_BUSINESS, this.reason,
				new Instruction.Reject(this.event));
	}

}
