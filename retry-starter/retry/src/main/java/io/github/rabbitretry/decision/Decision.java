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
 * What happens to a delivery that was not handled successfully. Together with
 * acknowledging a success, the set is closed.
 */
public sealed interface Decision {

	/**
	 * Calls the visitor's method for this kind of decision.
	 * @param <T> the type of the subject
	 * @param visitor the visitor to call
	 * @param subject the subject of the decision
	 */
	<T> void accept(Visitor<T> visitor, T subject);

	/**
	 * The message comes back after a delay.
	 *
	 * @param attempt the broker attempt that it comes back as
	 * @param level the delay level, from 1, from which the next level is derived
	 * @param delay how long it waits
	 * @param reason why
	 * @param failureClass the kind of failure
	 */
	record Retry(int attempt, int level, Duration delay, String reason, FailureClass failureClass) implements Decision {

		@Override
		public <T> void accept(Visitor<T> visitor, T subject) {
			visitor.retry(subject, this);
		}

	}

	/**
	 * The message came back too early to be handled and continues to wait; no attempt is
	 * used.
	 *
	 * @param until when it may be handled
	 */
	record Postpone(Instant until) implements Decision {

		@Override
		public <T> void accept(Visitor<T> visitor, T subject) {
			visitor.postpone(subject, this);
		}

	}

	/**
	 * The message came back while no more retries are allowed, and continues to wait; no
	 * attempt is used.
	 *
	 * @param until when it may be handled
	 * @param reason why it failed last
	 */
	record Throttle(Instant until, String reason) implements Decision {

		@Override
		public <T> void accept(Visitor<T> visitor, T subject) {
			visitor.throttle(subject, this);
		}

	}

	/**
	 * The message's consumers died while handling it, and it is handled separately from
	 * others.
	 */
	record Quarantine() implements Decision {

		@Override
		public <T> void accept(Visitor<T> visitor, T subject) {
			visitor.quarantine(subject, this);
		}

	}

	/**
	 * The message waits for an operator.
	 *
	 * @param reason why it is parked
	 * @param failureClass the kind of the last failure
	 * @param failureReason the reason of the last failure; equal to {@code reason} unless
	 * a budget ended the retries
	 */
	record Park(String reason, FailureClass failureClass, String failureReason) implements Decision {

		@Override
		public <T> void accept(Visitor<T> visitor, T subject) {
			visitor.park(subject, this);
		}

	}

	/**
	 * The message is acknowledged without success.
	 *
	 * @param reason why
	 * @param failureClass the kind of failure
	 */
	record Discard(String reason, FailureClass failureClass) implements Decision {

		@Override
		public <T> void accept(Visitor<T> visitor, T subject) {
			visitor.discard(subject, this);
		}

	}

	/**
	 * An event of a business rejection is published, and then the message is
	 * acknowledged.
	 *
	 * @param reason why
	 * @param failureClass the kind of failure
	 * @param event the event's payload, or {@code null} for the message itself
	 */
	record Reject(String reason, FailureClass failureClass, @Nullable Object event) implements Decision {

		@Override
		public <T> void accept(Visitor<T> visitor, T subject) {
			visitor.reject(subject, this);
		}

		/** Excludes the event, since payload must not be logged. */
		@Override
		public String toString() {
			return "Reject[reason=%s, failureClass=%s]".formatted(this.reason, this.failureClass);
		}

	}

	/**
	 * The delivery is returned to its queue; no attempt is counted.
	 *
	 * @param reason why
	 */
	record Return(String reason) implements Decision {

		@Override
		public <T> void accept(Visitor<T> visitor, T subject) {
			visitor.returnToQueue(subject, this);
		}

	}

	/**
	 * Handles each kind of decision. A new kind does not compile until every visitor
	 * handles it.
	 *
	 * @param <T> the type of the subject
	 */
	interface Visitor<T> {

		/**
		 * The message is to come back after a delay.
		 * @param subject the subject of the decision
		 * @param retry the decision
		 */
		void retry(T subject, Retry retry);

		/**
		 * The message is to continue to wait.
		 * @param subject the subject of the decision
		 * @param postpone the decision
		 */
		void postpone(T subject, Postpone postpone);

		/**
		 * The message is to continue to wait, since no more retries are allowed.
		 * @param subject the subject of the decision
		 * @param throttle the decision
		 */
		void throttle(T subject, Throttle throttle);

		/**
		 * The message is to be handled separately from others.
		 * @param subject the subject of the decision
		 * @param quarantine the decision
		 */
		void quarantine(T subject, Quarantine quarantine);

		/**
		 * The message is to be parked.
		 * @param subject the subject of the decision
		 * @param park the decision
		 */
		void park(T subject, Park park);

		/**
		 * The message is to be acknowledged without success.
		 * @param subject the subject of the decision
		 * @param discard the decision
		 */
		void discard(T subject, Discard discard);

		/**
		 * The business rejection is to be published.
		 * @param subject the subject of the decision
		 * @param reject the decision
		 */
		void reject(T subject, Reject reject);

		/**
		 * The delivery is to be returned to its queue.
		 * @param subject the subject of the decision
		 * @param decision the decision
		 */
		void returnToQueue(T subject, Return decision);

	}

}
