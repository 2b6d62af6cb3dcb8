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
import io.github.rabbitretry.classify.Instruction;
import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.policy.BusinessHours;
import io.github.rabbitretry.policy.MessagePolicy;
import io.github.rabbitretry.topology.DeliveryHistory;

/**
 * Decides by instruction, class and budget. Has no state and asks nobody: the same
 * failure of the same message at the same instant is decided alike, but for the draw of
 * jitter.
 */
public final class Decider {

	private final DelayChoice delays;

	/**
	 * Creates a decider.
	 * @param random where jitter comes from; called concurrently
	 */
	public Decider(RandomGenerator random) {
		this.delays = new DelayChoice(random);
	}

	/**
	 * Decides what becomes of a failed delivery.
	 * @param policy the message type's policy
	 * @param history what the message's headers say, with what was spent since
	 * @param failure what went wrong
	 * @param now the current instant
	 * @return the decision
	 */
	public Decision decide(MessagePolicy policy, DeliveryHistory history, FailureClassification failure, Instant now) {
		String reason = failure.reason();
		FailureClass failureClass = failure.failureClass();
		Instruction instruction = failure.instruction();
		if (instruction instanceof Instruction.Return) {
			return new Decision.Return(reason);
		}
		if (instruction instanceof Instruction.Discard
				|| (instruction == null && policy.discardOn().contains(reason))) {
			return new Decision.Discard(reason, failureClass);
		}
		if (instruction instanceof Instruction.Reject reject) {
			return (policy.rejection() != null) ? new Decision.Reject(reason, failureClass, reject.event())
					: new Decision.Park(reason, failureClass, reason);
		}
		if (instruction instanceof Instruction.Park
				|| (instruction == null && (policy.parkOn().contains(reason) || !failureClass.retryable()))) {
			return new Decision.Park(reason, failureClass, reason);
		}
		if (history.attempt() >= policy.brokerAttempts() || Spent.of(policy.budget(), history.spending())) {
			return new Decision.Park(Reasons.RETRY_BUDGET_EXHAUSTED, failureClass, reason);
		}
		int attempt = history.attempt() + 1;
		DelayChoice.Chosen chosen = this.delays.choose(policy, history, failure, now);
		if (exceedsAge(policy, history, now.plus(chosen.delay()), now)) {
			return new Decision.Park(Reasons.RETRY_AGE_EXCEEDED, failureClass, reason);
		}
		Duration bound = policy.maxCumulativeDelay();
		if (bound != null && history.cumulativeDelay().plus(chosen.delay()).compareTo(bound) > 0) {
			return new Decision.Park(Reasons.RETRY_BUDGET_EXHAUSTED, failureClass, reason);
		}
		return new Decision.Retry(attempt, chosen.level(), chosen.delay(), reason, failureClass);
	}

	/**
	 * Decides whether a message that came back is handled now: a message that waited
	 * longer than its age allows, because nobody consumed, is not; nor is one that came
	 * back before its time, or outside business hours.
	 * @param policy the message type's policy
	 * @param history what the message's headers say
	 * @param last the last failure as the headers tell it
	 * @param now the current instant
	 * @return the decision to park or to wait on, or empty if the message is to be
	 * handled
	 */
	public Optional<Decision> admit(MessagePolicy policy, DeliveryHistory history, FailureClassification last,
			Instant now) {
		if (history.retried() && exceedsAge(policy, history, now, now)) {
			return Optional.of(new Decision.Park(Reasons.RETRY_AGE_EXCEEDED, last.failureClass(), last.reason()));
		}
		if (policy.brokerAttempts() == 0) {
			// there is nowhere to wait
			return Optional.empty();
		}
		Instant earliest = (history.notBefore() != null) ? history.notBefore() : now;
		BusinessHours hours = policy.hours();
		if (hours != null && history.retried()) {
			earliest = hours.nextOpen(earliest);
		}
		return earliest.isAfter(now) ? Optional.of(new Decision.Postpone(earliest)) : Optional.empty();
	}

	private static boolean exceedsAge(MessagePolicy policy, DeliveryHistory history, Instant attemptAt, Instant now) {
		Instant first = history.firstFailureAt();
		return Duration.between((first != null) ? first : now, attemptAt).compareTo(policy.maxRetryAge()) > 0;
	}

}
