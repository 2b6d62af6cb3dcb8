/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deduplication;

import io.github.rabbitretry.classify.ClassifiedFailure;
import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.Reasons;

/**
 * The same message is being handled by another thread, and how that ends is not known
 * yet.
 */
final class MessageInProgressException extends RuntimeException implements ClassifiedFailure {

	private static final long serialVersionUID = 1L;

	MessageInProgressException() {
		super("The same message was delivered before, and another thread still handles it");
	}

	@Override
	public FailureClassification classification() {
		return FailureClassification.of(FailureClass.CONTENTION, Reasons.LOCK_CONFLICT);
	}

}
