/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.util.function.Supplier;

import io.github.rabbitretry.classify.FailureClassification;
import org.jspecify.annotations.Nullable;

/**
 * What one of those who are asked says of a failure.
 *
 * @param from who says it: a class name, {@code rules[0]}, {@code built-in knowledge}
 * @param outcome what it led to
 * @param classification what the failure is, or {@code null} if that was not said
 * @param why why, in a few words; made up only when asked for
 * @param rule the rule's place in the configuration, or {@code null} if it is no rule
 */
public record ClassificationStep(String from, Outcome outcome, @Nullable FailureClassification classification,
		Supplier<String> why, @Nullable Integer rule) {

	static ClassificationStep answer(String from, FailureClassification classification, Supplier<String> why) {
		return new ClassificationStep(from, Outcome.CLASSIFIED, classification, why, null);
	}

	static ClassificationStep shadow(String from, FailureClassification classification, Supplier<String> why) {
		return new ClassificationStep(from, Outcome.SHADOW, classification, why, null);
	}

	static ClassificationStep passedOver(String from, Supplier<String> why) {
		return new ClassificationStep(from, Outcome.PASSED_OVER, null, why, null);
	}

	ClassificationStep ofRule(int index) {
		return new ClassificationStep(this.from, this.outcome, this.classification, this.why, index);
	}

	/**
	 * What an answer leads to.
	 */
	public enum Outcome {

		/** It is the classification; no further classifier is called. */
		CLASSIFIED,

		/** It would be the classification, were the rule active. */
		SHADOW,

		/** There is no result, and the next classifier is called. */
		PASSED_OVER

	}

}
