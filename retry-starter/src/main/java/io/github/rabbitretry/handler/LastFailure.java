/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.handler;

import java.util.Map;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.handover.Received;
import io.github.rabbitretry.topology.AppHeaders;

/**
 * The last failure of a message as its headers tell it.
 */
final class LastFailure {

	private LastFailure() {
	}

	static FailureClassification of(Received received) {
		Map<String, Object> headers = received.properties().getHeaders();
		FailureClass failureClass = FailureClass.ofLabel(String.valueOf(headers.get(AppHeaders.RETRY_CLASS)))
			.orElse(FailureClass.UNKNOWN);
		try {
			return FailureClassification.of(failureClass, String.valueOf(headers.get(AppHeaders.RETRY_REASON)));
		}
		catch (IllegalArgumentException ex) {
			return FailureClassification.of(failureClass, Reasons.UNKNOWN_FAILURE);
		}
	}

}
