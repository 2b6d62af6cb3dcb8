/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.util.Optional;

import io.github.rabbitretry.classify.FailureClassification;

/**
 * What an HTTP status says about trying again.
 */
final class HttpStatuses {

	private HttpStatuses() {
	}

	static Optional<FailureClassification> classification(int status) {
		return switch (status) {
			case 408, 504 -> Optional.of(Classifications.TIMEOUT);
			// a lost race resolves itself, since the handler runs again from the start
			// and reads the new state; any other conflict ends with the budget
			case 409, 423 -> Optional.of(Classifications.LOCK);
			case 412 -> Optional.of(Classifications.OPTIMISTIC_LOCK);
			case 425 -> Optional.of(Classifications.UNAVAILABLE);
			case 429 -> Optional.of(Classifications.RATE_LIMITED);
			// about the request, not about the server's state, for all that it is a 5xx
			case 501, 505 -> Optional.of(Classifications.DOWNSTREAM_REJECTED);
			default -> byHundreds(status);
		};
	}

	private static Optional<FailureClassification> byHundreds(int status) {
		return switch (status / 100) {
			case 4 -> Optional.of(Classifications.DOWNSTREAM_REJECTED);
			case 5 -> Optional.of(Classifications.UNAVAILABLE);
			default -> Optional.empty();
		};
	}

}
