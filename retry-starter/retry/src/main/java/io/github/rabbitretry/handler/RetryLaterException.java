/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.handler;

import java.io.Serial;
import java.time.Duration;

import io.github.rabbitretry.classify.ClassifiedFailure;
import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.Instruction;
import io.github.rabbitretry.classify.Reasons;

/**
 * Thrown by a handler to have its message retried later: after a certain delay, or after
 * one of the policy's delays. No local attempt is made. The retry is a broker attempt
 * like any other, so the budgets of the policy apply: when one is used up, the message is
 * parked with {@link Reasons#RETRY_BUDGET_EXHAUSTED} or
 * {@link Reasons#RETRY_AGE_EXCEEDED}. With the {@code calendar} back-off, the attempt
 * waits for the first opening after the delay.
 */
public final class RetryLaterException extends RuntimeException implements ClassifiedFailure {

	@Serial
	private static final long serialVersionUID = 1L;

	private final transient Instruction instruction;

	private String reason = Reasons.RETRY_LATER;

	private RetryLaterException(String when, Instruction instruction) {
		super("The handler asks for a retry " + when);
		this.instruction = instruction;
	}

	/**
	 * Requests a retry after this delay, regardless of the back-off. A delay that is
	 * shorter than every queue to wait in takes as long as the shortest of them.
	 * @param delay positive; more than ten days (864,000 s) is reduced to that, and a
	 * message whose age would exceed {@code max-retry-age} is parked
	 * @return the exception to throw
	 * @throws IllegalArgumentException if the delay is not positive
	 */
	public static RetryLaterException after(Duration delay) {
		Instruction.RetryAfter after = new Instruction.RetryAfter(delay);
		return new RetryLaterException("after " + after.delay(), after);
	}

	/**
	 * Requests a retry after the delay that the policy's back-off has before a certain
	 * attempt.
	 * @param level the attempt, from 1; beyond the last one, the delay of the last one is
	 * used
	 * @return the exception to throw
	 * @throws IllegalArgumentException if the level is less than 1
	 */
	public static RetryLaterException atLevel(int level) {
		return new RetryLaterException("at level " + level, new Instruction.RetryAtLevel(level));
	}

	/**
	 * Requests a retry after the delay that follows the last one.
	 * @return the exception to throw
	 */
	public static RetryLaterException nextLevel() {
		return new RetryLaterException("at the next level", new Instruction.RetryAtNextLevel());
	}

	/**
	 * Sets the reason. Replaces {@link Reasons#RETRY_LATER}.
	 * @param reason upper case letters, digits and underscores, at most 64; becomes a
	 * metric tag, so use few
	 * @return this exception
	 * @throws IllegalArgumentException if the reason is invalid
	 */
	public RetryLaterException because(String reason) {
		this.reason = Reason.valid(reason);
		return this;
	}

	/**
	 * Sets the cause of the request.
	 * @param cause the cause; can be set once
	 * @return this exception
	 */
	public RetryLaterException causedBy(Throwable cause) {
		initCause(cause);
		return this;
	}

	@Override
	public FailureClassification classification() {
		return FailureClassification.instructed(FailureClass.TRANSIENT, this.reason, this.instruction);
	}

}
