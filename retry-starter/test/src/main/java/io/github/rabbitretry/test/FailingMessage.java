/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.test;

import java.time.Duration;

import io.github.rabbitretry.explain.Explanation;
import io.github.rabbitretry.explain.FailedMessage;
import io.github.rabbitretry.explain.RetryExplainer;
import io.github.rabbitretry.internal.message.AppHeaders;
import org.assertj.core.api.AssertProvider;

/**
 * A message whose listener fails. Immutable. Its assertions apply to the decision; it can
 * also be passed to {@code assertThat}.
 */
public final class FailingMessage implements AssertProvider<DecisionAssert> {

	private final RetryExplainer explainer;

	private final FailedMessage message;

	FailingMessage(RetryExplainer explainer, FailedMessage message) {
		this.explainer = explainer;
		this.message = message;
	}

	/**
	 * Returns this message after some retries: 2 is its third delivery, the log's
	 * "attempt 3". By default, each retry was made as early as possible.
	 * @param attempt the retries made, 0 or more
	 * @return the message
	 */
	public FailingMessage atAttempt(int attempt) {
		return new FailingMessage(this.explainer, this.message.atAttempt(attempt));
	}

	/**
	 * Returns this message some time after its first failure.
	 * @param age that time, not negative
	 * @return the message
	 */
	public FailingMessage aged(Duration age) {
		return new FailingMessage(this.explainer, this.message.aged(age));
	}

	/**
	 * Returns this message after some delays.
	 * @param sum the sum of its delays so far
	 * @return the message
	 */
	public FailingMessage delayed(Duration sum) {
		return withHeader(AppHeaders.CUMULATIVE_DELAY, sum.toMillis());
	}

	/**
	 * Returns this message after its handler has spent part of its budgets.
	 * @param downstreamCalls calls to other systems so far
	 * @param cost units of cost so far
	 * @return the message
	 */
	public FailingMessage spent(long downstreamCalls, long cost) {
		return withHeader(AppHeaders.DOWNSTREAM_CALLS, downstreamCalls).withHeader(AppHeaders.COST, cost);
	}

	/**
	 * Returns this message with an additional header.
	 * @param name the header's name
	 * @param value its value
	 * @return the message
	 */
	public FailingMessage withHeader(String name, Object value) {
		return new FailingMessage(this.explainer, this.message.with(name, value));
	}

	/**
	 * Explains the decision.
	 * @return the explanation, whose text form is human-readable
	 */
	public Explanation explanation() {
		return this.explainer.explain(this.message);
	}

	@Override
	public DecisionAssert assertThat() {
		return new DecisionAssert(explanation());
	}

	/**
	 * Asserts that it is retried.
	 * @return further assertions
	 */
	public DecisionAssert isRetried() {
		return assertThat().isRetried();
	}

	/**
	 * Asserts that it is retried after a delay.
	 * @param delay the delay; with jitter, any possible delay
	 * @return further assertions
	 */
	public DecisionAssert isRetriedAfter(Duration delay) {
		return assertThat().isRetriedAfter(delay);
	}

	/**
	 * Asserts that it is parked.
	 * @param reason the reason for parking
	 * @return further assertions
	 */
	public DecisionAssert isParkedBecause(String reason) {
		return assertThat().isParkedBecause(reason);
	}

	/**
	 * Asserts that it is acknowledged without success.
	 * @return further assertions
	 */
	public DecisionAssert isDiscarded() {
		return assertThat().isDiscarded();
	}

}
