/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.classify;

import java.time.Clock;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * What is known about the exceptions of Spring, the JDK and widespread libraries. The
 * outermost exception that says something decides, unless it yields to a retryable
 * failure beneath: a conversion that failed since the schema registry timed out is a
 * timeout.
 */
final class BuiltInClassifier implements FailureClassifier {

	private final KnownFailures known;

	BuiltInClassifier(Clock clock) {
		this.known = new KnownFailures(new FailureTable(clock).rows());
	}

	@Override
	public Optional<FailureClassification> classify(Throwable failure, FailedDelivery delivery) {
		List<Throwable> chain = CauseChain.of(failure);
		Optional<FailureClassification> verdict = verdict(chain);
		boolean conversion = verdict.isPresent() ? verdict.get().equals(Verdicts.DESERIALIZATION)
				: chain.stream().anyMatch(ThrownIn::conversion);
		if (!conversion) {
			return verdict;
		}
		boolean classMissing = chain.stream().anyMatch(ClassNotFoundException.class::isInstance);
		return Optional.of(classMissing ? Verdicts.UNKNOWN_TYPE : Verdicts.DESERIALIZATION);
	}

	private Optional<FailureClassification> verdict(List<Throwable> chain) {
		@Nullable FailureClassification verdict = null;
		for (Throwable failure : chain) {
			@Nullable Knowledge knowledge = this.known.about(failure).orElse(null);
			if (knowledge == null) {
				continue;
			}
			@Nullable FailureClassification said = knowledge.reading().read(failure).orElse(null);
			if (said != null && (verdict == null || said.failureClass().retryable())) {
				verdict = said;
				if (!knowledge.yields()) {
					break;
				}
			}
		}
		return Optional.ofNullable(verdict);
	}

}
