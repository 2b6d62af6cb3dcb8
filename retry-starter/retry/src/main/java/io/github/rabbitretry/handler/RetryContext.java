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
 * The delivery that is being handled: how often it failed before, and what handling it
 * may still cost. To be had as an argument of a {@code @RabbitListener} or
 * {@code @RabbitHandler} method, or by {@link #current()} from code deep inside.
 * <p>
 * May be given to other threads of the handler. What these do after the handler has
 * returned is without effect.
 */
public interface RetryContext {

	/**
	 * The context of the delivery that this thread handles.
	 * @return the context, or empty on any other thread, and where the listener's queue
	 * has no message policy
	 */
	static Optional<RetryContext> current() {
		return RetryContexts.current();
	}

	/**
	 * A context as listeners get it whose queue has no message policy, or unit tests of
	 * handlers: of a first delivery, without any retry and without any bound. Counts what
	 * is spent.
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
	 * The delay level last waited on, which the next level is counted from.
	 * @return the level, or 0 if the message has not waited yet
	 */
	int level();

	/**
	 * When the message failed first. Failed calls for this delivery are not looked at.
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
	 * @return the reason, or empty if it was not
	 */
	Optional<String> lastReason();

	/**
	 * The kind of failure for which the message was retried last.
	 * @return the class, or empty if it was not
	 */
	Optional<FailureClass> lastFailureClass();

	/**
	 * What handling the message has cost so far, over all its deliveries and calls, as
	 * far as handlers told.
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
	 * To be called before a call to another system, each retry of that call included.
	 * @throws BudgetSpentException if the policy does not allow for it; nothing is
	 * counted then
	 */
	default void spendDownstreamCall() {
		spendDownstreamCalls(1);
	}

	/**
	 * To be called before several calls to other systems.
	 * @param calls how many, 0 or more
	 * @throws BudgetSpentException if the policy does not allow for all of them; nothing
	 * is counted then
	 */
	void spendDownstreamCalls(long calls);

	/**
	 * To be called before something that costs, in whatever unit the application takes.
	 * @param units how many, 0 or more
	 * @throws BudgetSpentException if the policy does not allow for all of them; nothing
	 * is counted then
	 */
	void spendCost(long units);

	/**
	 * Lets this call of the handler take longer than {@code handler-timeout} of the
	 * policy, counted from where it would end now; to be called while the handler works.
	 * All calls for one delivery end after nine tenths of
	 * {@code rabbit-retry.broker.consumer-timeout}, whatever they were extended by.
	 * Without effect where the policy has no timeout, and once it has passed.
	 * @param more how much longer, 0 or more
	 * @throws IllegalArgumentException if that is negative
	 */
	void extendTimeout(Duration more);

}
