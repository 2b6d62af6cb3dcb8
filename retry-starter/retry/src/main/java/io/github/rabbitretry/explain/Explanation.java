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
 * Why a failure is decided as it is. Its text form is for people, a line for each step.
 *
 * @param messageType the policy's name
 * @param exception the class of what the listener throws
 * @param attempt the broker attempts made
 * @param attemptsAllowed the broker attempts allowed
 * @param asked everybody who was asked what the failure is, in order
 * @param classification what the failure is
 * @param steps what was looked at after that, in order; the last one that ends the matter
 * decides
 * @param decision what becomes of the message, or {@code null} if it is acknowledged
 * @param waiting how long a retry waits, or {@code null} if there is none
 * @param history what became of the message's last attempts as its headers tell it, one
 * each, oldest first: when, which, why, the delay after it and who made it
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
	 * Who said what the failure is.
	 * @return the one who was believed, or empty if nobody knew the failure
	 */
	public Optional<Asked> answer() {
		return this.asked.stream().filter((one) -> one.outcome() == Outcome.ANSWERED).findFirst();
	}

	/**
	 * What rules in shadow mode would have said.
	 * @return them, each with a classification
	 */
	public List<Asked> shadows() {
		return this.asked.stream().filter((one) -> one.outcome() == Outcome.SHADOW).toList();
	}

	/**
	 * What becomes of the message, in a word.
	 * @return {@code retry}, {@code park}, {@code discard} and so on, or
	 * {@code acknowledge}
	 */
	public String kind() {
		return (this.decision != null) ? this.decision.getClass().getSimpleName().toLowerCase(Locale.ROOT)
				: "acknowledge";
	}

	/**
	 * Why that becomes of it.
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
	 * One who was asked what the failure is.
	 *
	 * @param from a class name, {@code rules[0]}, {@code built-in knowledge}
	 * @param outcome whether the answer counts
	 * @param classification the answer, or {@code null} if there was none
	 * @param why why, in a few words
	 */
	public record Asked(String from, Outcome outcome, @Nullable FailureClassification classification, String why) {

	}

	/**
	 * What an answer led to.
	 */
	public enum Outcome {

		/** It is the classification; nobody else is asked. */
		ANSWERED,

		/** It would be the classification, were the rule active. */
		SHADOW,

		/** There is none, and the next is asked. */
		PASSED_OVER

	}

	/**
	 * Something that was looked at.
	 *
	 * @param check what, where it is configured by its key
	 * @param ends whether that ended the matter
	 * @param values the values that were compared
	 */
	public record Step(String check, boolean ends, String values) {
	}

	/**
	 * How long a retry waits, and where.
	 *
	 * @param earliest the shortest delay that may be drawn
	 * @param latest the longest delay that may be drawn
	 * @param routes the ways into the ring, of the shortest delay first
	 */
	public record Waiting(Duration earliest, Duration latest, List<DelayRoute> routes) {

		public Waiting {
			routes = List.copyOf(routes);
		}

	}

}
