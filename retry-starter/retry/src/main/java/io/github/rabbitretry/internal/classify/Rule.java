/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

import io.github.rabbitretry.classify.FailureClassification;

/**
 * A rule that was checked.
 *
 * @param index its place in the configuration, from 0
 * @param conditions what has to hold, at least one
 * @param classification what the failure then is
 * @param shadow whether it only counts
 * @param hits how many deliveries it decided, or would have
 */
record Rule(int index, List<RuleCondition> conditions, FailureClassification classification, boolean shadow,
		LongAdder hits) {

	ClassificationStep step(FailureFacts facts) {
		for (RuleCondition condition : this.conditions) {
			if (!condition.holds(facts)) {
				return ClassificationStep
					.passedOver(name(), () -> "needs %s, has %s".formatted(condition, condition.found(facts)))
					.ofRule(this.index);
			}
		}
		ClassificationStep step = this.shadow ? ClassificationStep.shadow(name(), this.classification, this::text)
				: ClassificationStep.answer(name(), this.classification, this::text);
		return step.ofRule(this.index);
	}

	/** Finds the active rule that answers whatever this one would. */
	Optional<Rule> shadowedBy(List<Rule> earlier) {
		return earlier.stream().filter((other) -> !other.shadow && other.covers(this)).findFirst();
	}

	private boolean covers(Rule later) {
		return this.conditions.stream()
			.allMatch((condition) -> later.conditions.stream().anyMatch((special) -> condition.covers(special)));
	}

	String name() {
		return "rules[%s]".formatted(this.index);
	}

	String text() {
		return this.conditions.stream().map(Object::toString).collect(Collectors.joining(", "));
	}

}
