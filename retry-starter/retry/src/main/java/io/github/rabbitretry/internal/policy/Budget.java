/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.policy;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How much a message may cost before it is parked.
 *
 * @param localAttempts handler calls per delivery, 1 or more
 * @param localDelay the wait between two of them
 * @param brokerAttempts delayed redeliveries after the first delivery, 0 or more
 * @param maxRetryAge the longest time from the first failure to an attempt
 * @param maxCumulativeDelay the longest sum of delays, or {@code null} for no bound
 * @param maxDownstreamCalls the most calls to other systems that handlers may report, or
 * {@code null} for no bound
 * @param maxCost the most units of cost that handlers may report, or {@code null} for no
 * bound
 * @param handlerTime how long one handler call may take, or {@code null} for no bound
 */
public record Budget(int localAttempts, Duration localDelay, int brokerAttempts, Duration maxRetryAge,
		@Nullable Duration maxCumulativeDelay, @Nullable Long maxDownstreamCalls, @Nullable Long maxCost,
		@Nullable HandlerTime handlerTime) {

	/**
	 * How long the handler may hold a delivery.
	 * @return how long, without extensions, or {@code null} for no bound
	 */
	public @Nullable Duration longestHold() {
		return (this.handlerTime != null)
				? this.handlerTime.timeout().plus(this.localDelay).multipliedBy(this.localAttempts) : null;
	}

	/**
	 * The longest that delays may let a message wait in all.
	 * @return the least of the bounds of its age and of the sum of delays
	 */
	public Duration longestWait() {
		return (this.maxCumulativeDelay != null && this.maxCumulativeDelay.compareTo(this.maxRetryAge) < 0)
				? this.maxCumulativeDelay : this.maxRetryAge;
	}

	/**
	 * The most handler calls that one message can cause.
	 * @return local attempts times deliveries
	 */
	public long worstCaseHandlerCalls() {
		return this.localAttempts * (1L + this.brokerAttempts);
	}

}
