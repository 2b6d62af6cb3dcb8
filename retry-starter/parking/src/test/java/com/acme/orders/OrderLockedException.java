/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package com.acme.orders;

import io.github.rabbitretry.classify.ClassifiedFailure;
import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.Instruction;

class OrderLockedException extends RuntimeException implements ClassifiedFailure {

	private static final long serialVersionUID = 1L;

	@Override
	public FailureClassification classification() {
		return FailureClassification.instructed(FailureClass.CONTENTION, "ORDER_LOCKED",
				new Instruction.RetryAtNextLevel());
	}

}
