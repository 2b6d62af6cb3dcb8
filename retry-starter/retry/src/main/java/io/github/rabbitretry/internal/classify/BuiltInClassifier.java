/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.time.Clock;
import java.util.List;
import java.util.function.Supplier;

import io.github.rabbitretry.classify.FailureClassification;
import org.jspecify.annotations.Nullable;

/**
 * What is known about the exceptions of Spring, the JDK and widespread libraries. The
 * outermost exception that says something decides, unless it yields to a retryable
 * failure beneath: a conversion that failed since the schema registry timed out is a
 * timeout.
 */
final class BuiltInClassifier {

	static final String NAME = "built-in knowledge";

	private final ExceptionMappings known;

	BuiltInClassifier(Clock clock) {
		this.known = new ExceptionMappings(new FailureTable(clock).rows());
	}

	ClassificationStep step(Throwable failure) {
		List<Throwable> chain = HypotheticalFailure.chain(failure);
		@Nullable ClassificationStep step = step(chain);
		boolean conversion = (step != null) ? Classifications.DESERIALIZATION.equals(step.classification())
				: chain.stream().anyMatch(ConversionFailureDetector::conversion);
		if (!conversion) {
			return (step != null) ? step : ClassificationStep.passedOver(NAME, () -> "knows none of " + types(chain));
		}
		boolean classMissing = chain.stream().anyMatch(ClassNotFoundException.class::isInstance);
		Supplier<String> why = (step != null) ? step.why() : () -> "thrown while the payload was converted";
		return ClassificationStep.answer(NAME,
				classMissing ? Classifications.UNKNOWN_TYPE : Classifications.DESERIALIZATION, why);
	}

	private @Nullable ClassificationStep step(List<Throwable> chain) {
		@Nullable ClassificationStep step = null;
		for (Throwable failure : chain) {
			ExceptionMappings.@Nullable Mapping mapping = this.known.about(failure).orElse(null);
			if (mapping == null) {
				continue;
			}
			@Nullable FailureClassification said = mapping.reading().read(failure).orElse(null);
			if (said != null && (step == null || said.failureClass().retryable())) {
				step = ClassificationStep.answer(NAME, said, () -> "knows " + failure.getClass().getName());
				if (!mapping.yields()) {
					break;
				}
			}
		}
		return step;
	}

	private static List<String> types(List<Throwable> chain) {
		return chain.stream().map((failure) -> failure.getClass().getName()).distinct().toList();
	}

}
