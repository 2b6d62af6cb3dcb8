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
	 * Calls the visitor's method for this kind of decision.
	 * @param <T> the type of what is decided about
	 * @param visitor the visitor to call
	 * @param subject what is decided about
	 */
	<T> void accept(Visitor<T> visitor, T subject);

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

		@Override
		public <T> void accept(Visitor<T> visitor, T subject) {
			visitor.retry(subject, this);
		}

	}

	/**
	 * The message came back too early to be handled and waits on; no attempt is used up.
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
	 * The message came back while no more retries are allowed, and waits on; no attempt
	 * is used up.
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
	 * The message's consumers died with it in their hands, and it is handled apart from
	 * others.
	 */
	record Quarantine() implements Decision {

		@Override
		public <T> void accept(Visitor<T> visitor, T subject) {
			visitor.quarantine(subject, this);
		}

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
	 * An event tells of a business rejection, and then the message is acknowledged.
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

		@Override
		public <T> void accept(Visitor<T> visitor, T subject) {
			visitor.giveBack(subject, this);
		}

	}

	/**
	 * Handles each kind of decision. A new kind does not compile until every visitor
	 * handles it.
	 *
	 * @param <T> the type of what is decided about
	 */
	interface Visitor<T> {

		/**
		 * The message is to come back after a delay.
		 * @param subject what is decided about
		 * @param retry the decision
		 */
		void retry(T subject, Retry retry);

		/**
		 * The message is to wait on.
		 * @param subject what is decided about
		 * @param postpone the decision
		 */
		void postpone(T subject, Postpone postpone);

		/**
		 * The message is to wait on, since no more retries are allowed.
		 * @param subject what is decided about
		 * @param throttle the decision
		 */
		void throttle(T subject, Throttle throttle);

		/**
		 * The message is to be handled apart from others.
		 * @param subject what is decided about
		 * @param quarantine the decision
		 */
		void quarantine(T subject, Quarantine quarantine);

		/**
		 * The message is to be parked.
		 * @param subject what is decided about
		 * @param park the decision
		 */
		void park(T subject, Park park);

		/**
		 * The message is to be acknowledged without success.
		 * @param subject what is decided about
		 * @param discard the decision
		 */
		void discard(T subject, Discard discard);

		/**
		 * The business rejection is to be published.
		 * @param subject what is decided about
		 * @param reject the decision
		 */
		void reject(T subject, Reject reject);

		/**
		 * The delivery is to go back to its queue.
		 * @param subject what is decided about
		 * @param giveBack the decision
		 */
		void giveBack(T subject, Return giveBack);

	}

}
