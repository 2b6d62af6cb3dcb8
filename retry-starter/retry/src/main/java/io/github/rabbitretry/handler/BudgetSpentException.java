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
 * Thrown when a handler is about to spend more than its policy allows for one message,
 * before anything is spent. If the handler does not catch it, the message is parked with
 * {@link Reasons#RETRY_BUDGET_EXHAUSTED}.
 */
public final class BudgetSpentException extends RuntimeException implements ClassifiedFailure {

	@Serial
	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param key the configuration key of the budget
	 * @param messageType the policy's name
	 * @param bound the budget of one message
	 * @param spent the amount already spent
	 * @param more the additional amount that it was about to spend
	 */
	public BudgetSpentException(String key, String messageType, long bound, long spent, long more) {
		super("%s of message policy '%s' is %s: %s are spent and %s more would exceed it".formatted(key, messageType,
				bound, spent, more));
	}

	@Override
	public FailureClassification classification() {
		return FailureClassification.instructed(FailureClass.TRANSIENT, Reasons.RETRY_BUDGET_EXHAUSTED,
				new Instruction.Park());
	}

}
