/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.classify;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What a handler or a rule demands for a failed delivery, instead of what its class and
 * the back-off would lead to. Budgets apply all the same: no instruction makes a message
 * be tried more often, or later, than its policy allows.
 */
public sealed interface Instruction {

	/** To retry, after the back-off's delay, whatever the failure class. */
	record Retry() implements Instruction {
	}

	/**
	 * To retry after just this delay.
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
	 * To retry after the delay that the policy's back-off has before a certain attempt.
	 *
	 * @param level the attempt, from 1; beyond the end of a schedule its last delay
	 */
	record RetryAtLevel(int level) implements Instruction {

		public RetryAtLevel {
			if (level < 1) {
				throw new IllegalArgumentException("level %d must be 1 or more".formatted(level));
			}
		}

	}

	/** To retry after the delay that follows the one last waited for. */
	record RetryAtNextLevel() implements Instruction {
	}

	/** To park. */
	record Park() implements Instruction {
	}

	/** To acknowledge without success, with a record of it. */
	record Discard() implements Instruction {
	}

	/**
	 * To publish an event that tells of a business rejection, and then to acknowledge.
	 *
	 * @param event the event's payload, or {@code null} for the message itself
	 */
	record Reject(@Nullable Object event) implements Instruction {

		/** Without the event, which is payload and no matter of logs. */
		@Override
		public String toString() {
			return "Reject[]";
		}

	}

	/** To give the delivery back to its queue. */
	record Return() implements Instruction {
	}

}
