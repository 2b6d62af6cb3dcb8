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
 * Parked messages of a queue that share a cause: the innermost exception, its text and
 * the reason. An exhausted budget is not a cause.
 *
 * @param cause what they have in common
 * @param count how many of them match the filter
 * @param budgetExhausted how many of these were retried until a budget was used up
 * @param firstParkedAt when the first of these was parked
 * @param lastParkedAt when the last of these was parked
 * @param queue the work queue
 * @param messageType the message type; like the following components, that of the message
 * that was parked last
 * @param owner the owner of the message type
 * @param reason the reason of the last failure
 * @param failureClass the failure class, as spelled in headers
 * @param exception the classes of the exception and its causes
 * @param fingerprint equal for similar failures
 * @param handlerVersions the handler versions in which it happened, earliest first
 */
public record FailureGroup(FailureCause cause, long count, long budgetExhausted, Instant firstParkedAt,
		Instant lastParkedAt, String queue, String messageType, String owner, String reason, String failureClass,
		@Nullable String exception, String fingerprint, List<String> handlerVersions) {

	public FailureGroup {
		handlerVersions = List.copyOf(handlerVersions);
	}

	/**
	 * Whether a reason denotes an exhausted budget rather than a failure.
	 * @param reason why a message was parked
	 * @return whether it had been retried for as long or as often as allowed
	 */
	public static boolean exhausted(String reason) {
		return reason.equals(Reasons.RETRY_BUDGET_EXHAUSTED) || reason.equals(Reasons.RETRY_AGE_EXCEEDED);
	}

	/** What messages can be counted by, apart from their causes. */
	public enum Attribute {

		/** The message type. */
		MESSAGE_TYPE("messageType"),

		/** The owner of the message type. */
		OWNER("owner"),

		/** The version of the handler in which it failed. */
		HANDLER_VERSION("handlerVersion"),

		/** The version of the payload's schema, as given by the producer. */
		SCHEMA_VERSION("schemaVersion"),

		/** The work queue. */
		QUEUE("queue");

		private final String property;

		Attribute(String property) {
			this.property = property;
		}

		/**
		 * Returns the name of the property that has the value in a message.
		 */
		@Override
		public String toString() {
			return this.property;
		}

	}

	/**
	 * Parked messages with the same value of an attribute, whatever their causes.
	 *
	 * @param value the value, or {@code null} for messages without one
	 * @param count how many of them match the filter
	 * @param causes the number of their causes
	 * @param firstParkedAt when the first of these was parked
	 * @param lastParkedAt when the last of these was parked
	 */
	public record Total(@Nullable String value, long count, long causes, Instant firstParkedAt, Instant lastParkedAt) {
	}

	/**
	 * When the messages of a group were parked.
	 *
	 * @param cause the id of the group's cause
	 * @param from when the first of them was parked
	 * @param to the current instant, or later
	 * @param counts how many were parked in each of equally long parts of this time,
	 * earliest first
	 * @param exact whether they were all counted; counts of large groups are estimated
	 */
	public record Trend(String cause, Instant from, Instant to, List<Long> counts, boolean exact) {

		/** The number of parts. */
		public static final int PARTS = 24;

		public Trend {
			counts = List.copyOf(counts);
		}

	}

}
