/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.decision;

import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.Instruction;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.policy.BusinessHours;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import org.jspecify.annotations.Nullable;

/**
 * Chooses how long a message waits: what the handler or a rule demands; else what the
 * back-off says or the called service asked for, whichever is longer. Both are moved into
 * business hours where the policy has them.
 */
final class DelayChoice {

	private static final String AS_REQUESTED = "as requested";

	private final RandomGenerator random;

	DelayChoice(RandomGenerator random) {
		this.random = random;
	}

	Chosen choose(MessagePolicy policy, DeliveryHistory history, FailureClassification failure, Instant now) {
		Chosen chosen = requested(policy, history, failure.instruction());
		if (chosen == null) {
			int attempt = history.attempt() + 1;
			Duration backoff = policy.delays().draw(attempt, this.random);
			Duration delay = longer(backoff, failure.askedDelay().orElse(null));
			chosen = new Chosen(attempt, delay,
					delay.equals(backoff) ? "by the back-off" : "requested by the called service");
		}
		BusinessHours hours = policy.hours();
		if (hours == null) {
			return chosen;
		}
		Instant open = hours.nextOpen(now.plus(chosen.delay()));
		Duration delay = shorter(Duration.between(now, open), FailureClassification.LONGEST_DELAY);
		return delay.equals(chosen.delay()) ? chosen
				: new Chosen(chosen.level(), delay, chosen.why() + ", moved into business hours");
	}

	private static @Nullable Chosen requested(MessagePolicy policy, DeliveryHistory history,
			@Nullable Instruction instruction) {
		if (instruction instanceof Instruction.RetryAfter after) {
			return new Chosen(history.level(), after.delay(), AS_REQUESTED);
		}
		if (instruction instanceof Instruction.RetryAtLevel at) {
			return new Chosen(at.level(), policy.delays().delayOf(at.level()), AS_REQUESTED);
		}
		if (instruction instanceof Instruction.RetryAtNextLevel) {
			int next = history.level() + 1;
			return new Chosen(next, policy.delays().delayOf(next), AS_REQUESTED);
		}
		return null;
	}

	private static Duration longer(Duration delay, @Nullable Duration asked) {
		return (asked != null && asked.compareTo(delay) > 0) ? asked : delay;
	}

	private static Duration shorter(Duration delay, Duration bound) {
		return (delay.compareTo(bound) > 0) ? bound : delay;
	}

	/** A delay, the level that it belongs to, and where it comes from. */
	record Chosen(int level, Duration delay, String why) {
	}

}
