/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.util.List;
import java.util.Optional;

import io.github.rabbitretry.classify.FailureClassification;

/**
 * What a failure is, and who said so.
 *
 * @param classification what it is
 * @param opinions all that were asked, in order; the last one answered, unless none did
 */
public record ClassificationResult(FailureClassification classification, List<ClassificationStep> opinions) {

	public ClassificationResult {
		opinions = List.copyOf(opinions);
	}

	/**
	 * Who answered.
	 * @return the answer that counts, or empty if the failure is unknown
	 */
	public Optional<ClassificationStep> answer() {
		return of(ClassificationStep.Outcome.CLASSIFIED).stream().findFirst();
	}

	/**
	 * What rules in shadow mode would have said, each as if it alone were active.
	 * @return the opinions, each with a classification
	 */
	public List<ClassificationStep> shadows() {
		return of(ClassificationStep.Outcome.SHADOW);
	}

	private List<ClassificationStep> of(ClassificationStep.Outcome outcome) {
		return this.opinions.stream().filter((step) -> step.outcome() == outcome).toList();
	}

}
