/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.time.Duration;

import io.github.rabbitretry.internal.policy.MessagePolicy;

/**
 * What one message of a policy can cost before it is parked, all budgets multiplied.
 *
 * @param handlerCalls handler calls: local attempts times deliveries
 * @param longestLife from the first failure to the last attempt, whatever is asked for
 * @param backoffDelays the sum of the back-off's delays, jitter at its most, of the
 * attempts that fit
 * @param attemptsThatFit how many broker attempts the other budgets leave room for, if no
 * other delays are requested and handling takes no time
 * @param queues the queues that are there for the message type, the shared ones included
 */
record WorstCase(long handlerCalls, Duration longestLife, Duration backoffDelays, int attemptsThatFit, int queues) {

	/**
	 * Multiplies a policy's budgets.
	 * @param policy the policy
	 * @return its worst case
	 */
	public static WorstCase of(MessagePolicy policy) {
		Duration bound = policy.maxRetryAge();
		Duration cumulative = policy.maxCumulativeDelay();
		if (cumulative != null && cumulative.compareTo(bound) < 0) {
			bound = cumulative;
		}
		Duration sum = Duration.ZERO;
		int fitting = 0;
		while (fitting < policy.brokerAttempts()) {
			Duration next = sum.plus(policy.delays().longest(fitting + 1));
			if (next.compareTo(bound) > 0) {
				break;
			}
			sum = next;
			fitting++;
		}
		return new WorstCase(policy.budget().worstCaseHandlerCalls(), policy.maxRetryAge(), sum, fitting,
				policy.topology().queues().size());
	}

}
