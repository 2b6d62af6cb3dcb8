/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.explain;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.topology.DelayRoute;
import org.jspecify.annotations.Nullable;

/**
 * Explains the decision about a failure. Its text form is human-readable, with a line for
 * each step.
 *
 * @param messageType the policy's name
 * @param exception the class of the exception that the listener throws
 * @param attempt the broker attempts made
 * @param attemptsAllowed the broker attempts allowed
 * @param asked the classifiers that were called, in order
 * @param classification the resulting classification
 * @param steps the checks made after that, in order; the last one that ends the
 * evaluation decides
 * @param decision the decision about the message, or {@code null} if it is acknowledged
 * @param waiting how long a retry waits, or {@code null} if there is none
 * @param history the message's last attempts according to its headers, oldest first:
 * time, number, reason, the delay after it and the application
 */
public record Explanation(String messageType, String exception, int attempt, int attemptsAllowed, List<Asked> asked,
		FailureClassification classification, List<Step> steps, @Nullable Decision decision, @Nullable Waiting waiting,
		List<String> history) {

	public Explanation {
		asked = List.copyOf(asked);
		steps = List.copyOf(steps);
		history = List.copyOf(history);
	}

	/**
	 * Returns the classifier that recognized the failure.
	 * @return the classifier, or empty if none recognized the failure
	 */
	public Optional<Asked> answer() {
		return this.asked.stream().filter((one) -> one.outcome() == Outcome.CLASSIFIED).findFirst();
	}

	/**
	 * Returns the rules in shadow mode that would have matched.
	 * @return the rules, each with a classification
	 */
	public List<Asked> shadows() {
		return this.asked.stream().filter((one) -> one.outcome() == Outcome.SHADOW).toList();
	}

	/**
	 * The decision in a word.
	 * @return {@code retry}, {@code park}, {@code discard} and so on, or
	 * {@code acknowledge}
	 */
	public String kind() {
		return (this.decision != null) ? this.decision.getClass().getSimpleName().toLowerCase(Locale.ROOT)
				: "acknowledge";
	}

	/**
	 * The reason of the decision.
	 * @return the reason of the decision, or empty if it has none
	 */
	public Optional<String> reason() {
		if (this.decision instanceof Decision.Park park) {
			return Optional.of(park.reason());
		}
		if (this.decision instanceof Decision.Postpone || this.decision == null) {
			return Optional.empty();
		}
		return Optional.of(this.classification.reason());
	}

	@Override
	public String toString() {
		return new ExplanationText(this).toString();
	}

	/**
	 * A classifier that was called.
	 *
	 * @param from a class name, {@code rules[0]}, {@code built-in knowledge}
	 * @param outcome whether its result is used
	 * @param classification its result, or {@code null} if there was none
	 * @param why the explanation, in a few words
	 */
	public record Asked(String from, Outcome outcome, @Nullable FailureClassification classification, String why) {

	}

	/**
	 * The effect of a classifier's result.
	 */
	public enum Outcome {

		/** It is the classification; no further classifier is called. */
		CLASSIFIED,

		/** It would be the classification if the rule were active. */
		SHADOW,

		/** There is no result, and the next classifier is called. */
		PASSED_OVER

	}

	/**
	 * A check that was made.
	 *
	 * @param check the check; if it is configured, its key
	 * @param ends whether it ended the evaluation
	 * @param values the values that were compared
	 */
	public record Step(String check, boolean ends, String values) {
	}

	/**
	 * How long a retry waits, and where.
	 *
	 * @param earliest the shortest possible delay
	 * @param latest the longest possible delay
	 * @param routes the routes into the ring, shortest delay first
	 */
	public record Waiting(Duration earliest, Duration latest, List<DelayRoute> routes) {

		public Waiting {
			routes = List.copyOf(routes);
		}

	}

}
