/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.util.Optional;

import io.github.rabbitretry.classify.ClassifiedFailure;
import io.github.rabbitretry.classify.FailedDelivery;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.FailureClassifier;

/**
 * Believes failures that say themselves what they are.
 */
final class SelfClassification implements FailureClassifier {

	static final String NAME = "the failure itself";

	@Override
	public Optional<FailureClassification> classify(Throwable failure, FailedDelivery delivery) {
		return HypotheticalFailure.chain(failure)
			.stream()
			.filter(ClassifiedFailure.class::isInstance)
			.map((cause) -> ((ClassifiedFailure) cause).classification())
			.findFirst();
	}

}
