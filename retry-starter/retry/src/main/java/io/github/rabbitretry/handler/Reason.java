/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.handler;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;

/**
 * Refuses what is no reason where it is written, not where it is read.
 */
final class Reason {

	private Reason() {
	}

	static String valid(String reason) {
		return FailureClassification.of(FailureClass.UNKNOWN, reason).reason();
	}

}
