/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.test;

import java.time.Duration;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.explain.Explanation;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on the decision about a failure. A failing assertion explains the actual
 * decision.
 */
public final class DecisionAssert extends AbstractAssert<DecisionAssert, Explanation> {

	DecisionAssert(Explanation explanation) {
		super(explanation, DecisionAssert.class);
	}

	/**
	 * It is retried.
	 * @return this
	 */
	public DecisionAssert isRetried() {
		if (this.actual.waiting() == null) {
			throw otherwise("a retry");
		}
		return this;
	}

	/**
	 * It is retried after a delay.
	 * @param delay the delay; with jitter, any delay from the shortest to the longest
	 * @return this
	 */
	public DecisionAssert isRetriedAfter(Duration delay) {
		return isRetriedBetween(delay, delay);
	}

	/**
	 * It is retried after a delay whose window overlaps another one.
	 * @param earliest the start of the other window
	 * @param latest its end
	 * @return this
	 */
	public DecisionAssert isRetriedBetween(Duration earliest, Duration latest) {
		Explanation.@Nullable Waiting waiting = this.actual.waiting();
		if (waiting == null || latest.compareTo(waiting.earliest()) < 0 || earliest.compareTo(waiting.latest()) > 0) {
			throw otherwise("a retry after %s"
				.formatted(earliest.equals(latest) ? earliest : "%s to %s".formatted(earliest, latest)));
		}
		return this;
	}

	/**
	 * It is retried as a certain attempt.
	 * @param attempt the broker attempt, from 1
	 * @return this
	 */
	public DecisionAssert isRetriedAsAttempt(int attempt) {
		if (!(this.actual.decision() instanceof Decision.Retry retry && retry.attempt() == attempt)) {
			throw otherwise("a retry as attempt " + attempt);
		}
		return this;
	}

	/**
	 * It is parked.
	 * @param reason the reason for parking, {@code RETRY_BUDGET_EXHAUSTED} if attempts
	 * are used up
	 * @return this
	 */
	public DecisionAssert isParkedBecause(String reason) {
		if (!(this.actual.decision() instanceof Decision.Park park && park.reason().equals(reason))) {
			throw otherwise("to be parked because of " + reason);
		}
		return this;
	}

	/**
	 * It is acknowledged without success.
	 * @return this
	 */
	public DecisionAssert isDiscarded() {
		if (!(this.actual.decision() instanceof Decision.Discard)) {
			throw otherwise("to be discarded");
		}
		return this;
	}

	/**
	 * The failure has a reason.
	 * @param reason the reason
	 * @return this
	 */
	public DecisionAssert hasReason(String reason) {
		if (!this.actual.classification().reason().equals(reason)) {
			throw otherwise("the reason " + reason);
		}
		return this;
	}

	/**
	 * The failure is of a class.
	 * @param failureClass the class
	 * @return this
	 */
	public DecisionAssert isOfClass(FailureClass failureClass) {
		if (this.actual.classification().failureClass() != failureClass) {
			throw otherwise("the class " + failureClass.label());
		}
		return this;
	}

	/**
	 * The failure is classified by a certain classifier or rule.
	 * @param from {@code rules[0]}, a classifier's class name or
	 * {@code built-in knowledge}
	 * @return this
	 */
	public DecisionAssert isClassifiedBy(String from) {
		if (this.actual.answer().filter((answer) -> answer.from().equals(from)).isEmpty()) {
			throw otherwise("to be classified by " + from);
		}
		return this;
	}

	private AssertionError otherwise(String expected) {
		return failure("%nExpecting %s, but:%n%n%s", expected, this.actual);
	}

}
