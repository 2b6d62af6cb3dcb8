/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.message;

import java.time.Instant;
import java.util.List;

import io.github.rabbitretry.classify.Reasons;
import org.jspecify.annotations.Nullable;

/**
 * Parked messages of a queue that have a cause in common: the innermost exception, its
 * text and the reason. That a budget was used up is none.
 *
 * @param cause what they have in common
 * @param count how many of them match the filter
 * @param budgetExhausted how many of these were retried until a budget was used up
 * @param firstParkedAt when the first of these was parked
 * @param lastParkedAt when the last of these was parked
 * @param queue the work queue
 * @param messageType the message type, of the kind that was parked last, as all that
 * follows
 * @param owner who answers for it
 * @param reason why it failed last
 * @param failureClass the failure class, as headers spell it
 * @param exception the exception's class and its causes'
 * @param fingerprint equal for failures that look alike
 * @param handlerVersions which code it happened in, the first one first
 */
public record FailureGroup(FailureCause cause, long count, long budgetExhausted, Instant firstParkedAt,
		Instant lastParkedAt, String queue, String messageType, String owner, String reason, String failureClass,
		@Nullable String exception, String fingerprint, List<String> handlerVersions) {

	public FailureGroup {
		handlerVersions = List.copyOf(handlerVersions);
	}

	/**
	 * Whether a reason tells of a budget and not of a failure.
	 * @param reason why a message was parked
	 * @return whether it had been retried for as long or as often as allowed
	 */
	public static boolean exhausted(String reason) {
		return reason.equals(Reasons.RETRY_BUDGET_EXHAUSTED) || reason.equals(Reasons.RETRY_AGE_EXCEEDED);
	}

}
