/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.time.Duration;

import io.github.rabbitretry.classify.ClassifiedFailure;
import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;

/**
 * A failure of another side that says when to come again, as {@code Retry-After} does.
 */
class AskedDelayException extends RuntimeException implements ClassifiedFailure {

	private static final long serialVersionUID = 1L;

	private final Duration delay;

	AskedDelayException(Duration delay) {
		super("come again in " + delay, null, false, false);
		this.delay = delay;
	}

	@Override
	public FailureClassification classification() {
		return new FailureClassification(FailureClass.TRANSIENT, "RATE_LIMITED", this.delay);
	}

}
