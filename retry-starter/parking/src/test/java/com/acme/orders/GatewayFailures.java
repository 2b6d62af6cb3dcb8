/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package com.acme.orders;

import java.util.Optional;

import io.github.rabbitretry.classify.FailedDelivery;
import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.FailureClassifier;
import io.github.rabbitretry.classify.Reasons;

import org.springframework.core.NestedExceptionUtils;

class GatewayFailures implements FailureClassifier {

	@Override
	public Optional<FailureClassification> classify(Throwable failure, FailedDelivery delivery) {
		if (!(NestedExceptionUtils.getMostSpecificCause(failure) instanceof GatewayException gateway)) {
			return Optional.empty();
		}
		return switch (gateway.code()) {
			case "THROTTLED" -> Optional
				.of(new FailureClassification(FailureClass.TRANSIENT, Reasons.RATE_LIMITED, gateway.retryAfter()));
			case "NO_SUCH_CARD" ->
				Optional.of(FailureClassification.of(FailureClass.PERMANENT_BUSINESS, "NO_SUCH_CARD"));
			default -> Optional.empty();
		};
	}

}
