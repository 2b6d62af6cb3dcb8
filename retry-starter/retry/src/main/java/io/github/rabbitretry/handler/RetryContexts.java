/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.handler;

import java.util.Optional;

import io.github.rabbitretry.internal.handler.DeliveryContext;

/**
 * Where contexts come from, so that the interface knows nothing of it.
 */
final class RetryContexts {

	private RetryContexts() {
	}

	static Optional<RetryContext> current() {
		return Optional.ofNullable(DeliveryContext.bound());
	}

	static RetryContext uncovered() {
		return DeliveryContext.uncovered();
	}

}
