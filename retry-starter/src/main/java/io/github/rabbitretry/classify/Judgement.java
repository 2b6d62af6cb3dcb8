/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.classify;

import java.util.List;
import java.util.Optional;

/**
 * What a failure is, and who said so.
 *
 * @param classification what it is
 * @param opinions all who were asked, in order; the last one answered, unless nobody did
 */
public record Judgement(FailureClassification classification, List<Opinion> opinions) {

	public Judgement {
		opinions = List.copyOf(opinions);
	}

	/**
	 * Who answered.
	 * @return the opinion that counts, or empty if nobody knew the failure
	 */
	public Optional<Opinion> answer() {
		return of(Opinion.Outcome.ANSWERED).stream().findFirst();
	}

	/**
	 * What rules in shadow mode would have said, each as if it alone were active.
	 * @return the opinions, each with a classification
	 */
	public List<Opinion> shadows() {
		return of(Opinion.Outcome.SHADOW);
	}

	private List<Opinion> of(Opinion.Outcome outcome) {
		return this.opinions.stream().filter((opinion) -> opinion.outcome() == outcome).toList();
	}

}
