/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.handler;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.topology.Usage;

/**
 * The delivery that is being handled: how often it failed before, and how much of its
 * budgets is left. Available as an argument of a {@code @RabbitListener} or
 * {@code @RabbitHandler} method, or from {@link #current()} in other code.
 * <p>
 * It may be passed to other threads of the handler. Calls after the handler has returned
 * have no effect.
 */
public interface RetryContext {

	/**
	 * The context of the delivery that this thread handles.
	 * @return the context, or empty on any other thread, or if the listener's queue has
	 * no message policy
	 */
	static Optional<RetryContext> current() {
		return RetryContexts.current();
	}

	/**
	 * Returns a context of a first delivery, without retries and without limits, as it is
	 * passed to listeners whose queue has no message policy. Use it in unit tests of
	 * handlers. It counts what is spent.
	 * @return a new context
	 */
	static RetryContext uncovered() {
		return RetryContexts.uncovered();
	}

	/**
	 * Broker attempts made.
	 * @return 0 for a first delivery, at most {@link #maxAttempts()} unless the policy
	 * has changed since
	 */
	int attempt();

	/**
	 * Broker attempts allowed.
	 * @return {@code broker-attempts} of the policy
	 */
	int maxAttempts();

	/**
	 * Calls of the handler made for this delivery before this one.
	 * @return 0 for the first call, less than {@code local-attempts} of the policy
	 */
	int localAttempt();

	/**
	 * The last delay level, from which the next level is derived.
	 * @return the level, or 0 if the message has not waited yet
	 */
	int level();

	/**
	 * When the message failed first. Failed calls for this delivery are not considered.
	 * @return the instant, or empty if it has not failed yet
	 */
	Optional<Instant> firstFailureAt();

	/**
	 * The time since the first failure, which {@code max-retry-age} bounds.
	 * @return zero if the message has not failed yet
	 */
	Duration age();

	/**
	 * Why the message was retried last.
	 * @return the reason, or empty if it was not retried
	 */
	Optional<String> lastReason();

	/**
	 * The kind of failure for which the message was retried last.
	 * @return the class, or empty if it was not retried
	 */
	Optional<FailureClass> lastFailureClass();

	/**
	 * What handling the message has cost so far, over all its deliveries and calls, as
	 * reported by handlers.
	 * @return the totals
	 */
	Usage usage();

	/**
	 * How many more downstream calls may be made for this message.
	 * @return the number, or empty if the policy has no {@code max-downstream-calls}
	 */
	OptionalLong remainingDownstreamCalls();

	/**
	 * How many more units of cost may be spent on this message.
	 * @return the number, or empty if the policy has no {@code max-cost}
	 */
	OptionalLong remainingCost();

	/**
	 * Must be called before each call to another system, including each retry of that
	 * call.
	 * @throws BudgetSpentException if the policy does not allow it; in that case nothing
	 * is counted
	 */
	default void spendDownstreamCall() {
		spendDownstreamCalls(1);
	}

	/**
	 * Must be called before several calls to other systems.
	 * @param calls the number of calls, 0 or more
	 * @throws BudgetSpentException if the policy does not allow all of them; in that case
	 * nothing is counted
	 */
	void spendDownstreamCalls(long calls);

	/**
	 * Must be called before an operation that has a cost, in a unit that the application
	 * chooses.
	 * @param units the number of units, 0 or more
	 * @throws BudgetSpentException if the policy does not allow all of them; in that case
	 * nothing is counted
	 */
	void spendCost(long units);

	/**
	 * Extends the policy's {@code handler-timeout} for this call of the handler, counted
	 * from its current end. Must be called while the handler is running. All calls for
	 * one delivery end after nine tenths of {@code rabbit-retry.broker.consumer-timeout},
	 * regardless of extensions. Has no effect if the policy has no timeout, or after it
	 * has expired.
	 * @param more the extension, 0 or more
	 * @throws IllegalArgumentException if the extension is negative
	 */
	void extendTimeout(Duration more);

}
