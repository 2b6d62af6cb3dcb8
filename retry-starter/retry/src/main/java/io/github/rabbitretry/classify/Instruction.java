/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.classify;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * What a handler or a rule requests for a failed delivery, instead of the result of its
 * class and the back-off. Budgets still apply: no instruction causes a message to be
 * retried more often, or later, than its policy allows.
 */
public sealed interface Instruction {

	/** Retry after the back-off's delay, regardless of the failure class. */
	record Retry() implements Instruction {
	}

	/**
	 * Retry after exactly this delay.
	 *
	 * @param delay positive, cut to ten days
	 */
	record RetryAfter(Duration delay) implements Instruction {

		public RetryAfter {
			if (delay.isNegative() || delay.isZero()) {
				throw new IllegalArgumentException("delay %s must be positive".formatted(delay));
			}
			if (delay.compareTo(FailureClassification.LONGEST_DELAY) > 0) {
				delay = FailureClassification.LONGEST_DELAY;
			}
		}

	}

	/**
	 * Retry after the delay that the policy's back-off has before a certain attempt.
	 *
	 * @param level the attempt, from 1; beyond the end of a schedule, its last delay is
	 * used
	 */
	record RetryAtLevel(int level) implements Instruction {

		public RetryAtLevel {
			Assert.isTrue(level >= 1, () -> "level %s must be 1 or more".formatted(level));
		}

	}

	/** Retry after the delay that follows the last one. */
	record RetryAtNextLevel() implements Instruction {
	}

	/** Park the message. */
	record Park() implements Instruction {
	}

	/** Acknowledge the message without success, and log it. */
	record Discard() implements Instruction {
	}

	/**
	 * Publish an event of a business rejection, and then acknowledge the message.
	 *
	 * @param event the event's payload, or {@code null} for the message itself
	 */
	record Reject(@Nullable Object event) implements Instruction {

		/** Excludes the event, since payload must not be logged. */
		@Override
		public String toString() {
			return "Reject[]";
		}

	}

	/** Return the delivery to its queue. */
	record Return() implements Instruction {
	}

}
