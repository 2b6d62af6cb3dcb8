/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

import java.util.Map;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.Reasons;

/**
 * The last failure of a message as recorded in its headers.
 */
public final class LastFailure {

	private LastFailure() {
	}

	/**
	 * Why the message was retried last.
	 * @param received a message that has headers
	 * @return the class and reason, unknown without such headers
	 */
	public static FailureClassification of(ReceivedMessage received) {
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
