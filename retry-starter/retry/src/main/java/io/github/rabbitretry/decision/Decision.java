/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.decision;

import java.time.Duration;
import java.time.Instant;

import io.github.rabbitretry.classify.FailureClass;
import org.jspecify.annotations.Nullable;

/**
 * What happens to a delivery that was not handled with success. Together with
 * acknowledging a success, the set is closed.
 */
public sealed interface Decision {

	/**
	 * The message comes back after a delay.
	 *
	 * @param attempt the broker attempt that it comes back as
	 * @param level the delay level, from 1, that the next level is counted from
	 * @param delay how long it waits
	 * @param reason why
	 * @param failureClass the kind of failure
	 */
	record Retry(int attempt, int level, Duration delay, String reason, FailureClass failureClass) implements Decision {
	}

	/**
	 * The message came back too early to be handled and waits on; no attempt is used up.
	 *
	 * @param until when it may be handled
	 */
	record Postpone(Instant until) implements Decision {
	}

	/**
	 * The message came back while no more retries are allowed, and waits on; no attempt
	 * is used up.
	 *
	 * @param until when it may be handled
	 * @param reason why it failed last
	 */
	record Throttle(Instant until, String reason) implements Decision {
	}

	/**
	 * The message's consumers died with it in their hands, and it is handled apart from
	 * others.
	 */
	record Quarantine() implements Decision {
	}

	/**
	 * The message waits for people.
	 *
	 * @param reason why it is parked
	 * @param failureClass the kind of the last failure
	 * @param failureReason the reason of the last failure; equal to {@code reason} unless
	 * a budget ended the retries
	 */
	record Park(String reason, FailureClass failureClass, String failureReason) implements Decision {
	}

	/**
	 * The message is acknowledged without success.
	 *
	 * @param reason why
	 * @param failureClass the kind of failure
	 */
	record Discard(String reason, FailureClass failureClass) implements Decision {
	}

	/**
	 * An event tells of a business rejection, and then the message is acknowledged.
	 *
	 * @param reason why
	 * @param failureClass the kind of failure
	 * @param event the event's payload, or {@code null} for the message itself
	 */
	record Reject(String reason, FailureClass failureClass, @Nullable Object event) implements Decision {

		/** Without the event, which is payload and no matter of logs. */
		@Override
		public String toString() {
			return "Reject[reason=%s, failureClass=%s]".formatted(this.reason, this.failureClass);
		}

	}

	/**
	 * The delivery goes back to its queue; nothing is held against the message.
	 *
	 * @param reason why
	 */
	record Return(String reason) implements Decision {
	}

}
