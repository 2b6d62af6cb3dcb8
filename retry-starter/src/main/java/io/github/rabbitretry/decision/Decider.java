/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.decision;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.policy.MessagePolicy;
import io.github.rabbitretry.topology.DelayLevel;
import io.github.rabbitretry.topology.DeliveryHistory;
import org.jspecify.annotations.Nullable;

/**
 * Decides by class and budget. Has no state and asks nobody: the same failure of the same
 * message at the same instant is decided alike, but for the draw of jitter.
 */
public final class Decider {

	private final RandomGenerator random;

	/**
	 * Creates a decider.
	 * @param random where jitter comes from; called concurrently
	 */
	public Decider(RandomGenerator random) {
		this.random = random;
	}

	/**
	 * Decides what becomes of a failed delivery.
	 * @param policy the message type's policy
	 * @param history what the message's headers say
	 * @param failure what went wrong
	 * @param now the current instant
	 * @return the decision
	 */
	public Decision decide(MessagePolicy policy, DeliveryHistory history, FailureClassification failure, Instant now) {
		String reason = failure.reason();
		FailureClass failureClass = failure.failureClass();
		if (policy.discardOn().contains(reason)) {
			return new Decision.Discard(reason, failureClass);
		}
		if (policy.parkOn().contains(reason) || !failureClass.retryable()) {
			return new Decision.Park(reason, failureClass, reason);
		}
		if (history.attempt() >= policy.brokerAttempts()) {
			return new Decision.Park(Reasons.RETRY_BUDGET_EXHAUSTED, failureClass, reason);
		}
		int attempt = history.attempt() + 1;
		DelayLevel level = policy.delays().draw(attempt, this.random);
		Duration delay = longer(level.delay(), failure.askedDelay().orElse(null));
		if (exceedsAge(policy, history, now.plus(delay), now)) {
			return new Decision.Park(Reasons.RETRY_AGE_EXCEEDED, failureClass, reason);
		}
		Duration bound = policy.maxCumulativeDelay();
		if (bound != null && history.cumulativeDelay().plus(delay).compareTo(bound) > 0) {
			return new Decision.Park(Reasons.RETRY_BUDGET_EXHAUSTED, failureClass, reason);
		}
		if (delay.equals(level.delay())) {
			return new Decision.Retry(attempt, level, null, reason, failureClass);
		}
		return new Decision.Retry(attempt, policy.delays().towards(delay), now.plus(delay), reason, failureClass);
	}

	/**
	 * Decides whether a message that came back is still handled at all: a message that
	 * waited longer than its age allows, because nobody consumed, is not.
	 * @param policy the message type's policy
	 * @param history what the message's headers say
	 * @param last the last failure as the headers tell it
	 * @param now the current instant
	 * @return the decision to park, or empty if the message is to be handled
	 */
	public Optional<Decision> admit(MessagePolicy policy, DeliveryHistory history, FailureClassification last,
			Instant now) {
		if (history.retried() && exceedsAge(policy, history, now, now)) {
			return Optional.of(new Decision.Park(Reasons.RETRY_AGE_EXCEEDED, last.failureClass(), last.reason()));
		}
		return Optional.empty();
	}

	private static boolean exceedsAge(MessagePolicy policy, DeliveryHistory history, Instant attemptAt, Instant now) {
		Instant first = history.firstFailureAt();
		return Duration.between((first != null) ? first : now, attemptAt).compareTo(policy.maxRetryAge()) > 0;
	}

	private static Duration longer(Duration delay, @Nullable Duration asked) {
		return (asked != null && asked.compareTo(delay) > 0) ? asked : delay;
	}

}
