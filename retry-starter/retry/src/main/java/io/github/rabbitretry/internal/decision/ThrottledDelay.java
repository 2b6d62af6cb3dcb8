/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.decision;

import java.time.Duration;
import java.time.Instant;

import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.policy.BusinessHours;
import io.github.rabbitretry.internal.policy.MessagePolicy;

/**
 * Another wait for a message that came back while the ratio of retries is spent: until
 * the limiter expects a place for it, at most for a window. Where its age does not allow
 * that, half the remaining age, unless that is below the policy's first delay.
 */
public final class ThrottledDelay {

	private ThrottledDelay() {
	}

	/**
	 * Decides on the turn.
	 * @param policy the message type's policy, with broker attempts
	 * @param history what the message's headers say
	 * @param limiter the limiter that has refused it
	 * @param last the last failure as recorded in the headers
	 * @param now the current instant
	 * @return to throttle the message, or to park it because it gets too old
	 */
	public static Decision decide(MessagePolicy policy, DeliveryHistory history, RetryRatioLimiter limiter,
			FailureClassification last, Instant now) {
		Duration delay = limiter.place();
		Instant first = history.firstFailureAt();
		Duration left = policy.maxRetryAge().minus((first != null) ? Duration.between(first, now) : Duration.ZERO);
		if (Decider.waitingTime(policy, delay).compareTo(left) >= 0) {
			delay = Duration.ofMillis(left.toMillis() / 2);
			if (delay.compareTo(policy.delays().delayOf(1)) < 0) {
				return tooOld(last);
			}
		}
		BusinessHours hours = policy.hours();
		Instant until = (hours != null) ? hours.nextOpen(now.plus(delay)) : now.plus(delay);
		return until.isAfter(now.plus(left)) ? tooOld(last) : new Decision.Throttle(until, last.reason());
	}

	private static Decision tooOld(FailureClassification last) {
		return new Decision.Park(Reasons.RETRY_AGE_EXCEEDED, last.failureClass(), last.reason());
	}

}
