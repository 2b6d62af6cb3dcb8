/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.classify;

/**
 * The built-in reasons. An application adds its own by rules or by a
 * {@link FailureClassifier}; the names are a contract, since they stand in headers,
 * metrics and configuration.
 */
public final class Reasons {

	/** The payload could not be converted into the listener's argument. */
	public static final String DESERIALIZATION_FAILED = "DESERIALIZATION_FAILED";

	/** The payload's schema version is not supported; never built in, for rules. */
	public static final String UNSUPPORTED_SCHEMA_VERSION = "UNSUPPORTED_SCHEMA_VERSION";

	/** The payload breaks a validation constraint. */
	public static final String VALIDATION_FAILED = "VALIDATION_FAILED";

	/** A call to another system took too long. */
	public static final String DOWNSTREAM_TIMEOUT = "DOWNSTREAM_TIMEOUT";

	/** Another system could not be reached or said that it can't serve. */
	public static final String DOWNSTREAM_UNAVAILABLE = "DOWNSTREAM_UNAVAILABLE";

	/** Another system asked to slow down. */
	public static final String RATE_LIMITED = "RATE_LIMITED";

	/** Another system refused the request itself; trying again can't help. */
	public static final String DOWNSTREAM_REJECTED = "DOWNSTREAM_REJECTED";

	/** Data access failed in a way that repeats. */
	public static final String DATA_ACCESS_FAILED = "DATA_ACCESS_FAILED";

	/** An optimistic lock was lost. */
	public static final String OPTIMISTIC_LOCK_CONFLICT = "OPTIMISTIC_LOCK_CONFLICT";

	/** A pessimistic lock could not be had, or a deadlock was broken. */
	public static final String LOCK_CONFLICT = "LOCK_CONFLICT";

	/** The business does not allow this transition; never built in, for rules. */
	public static final String ILLEGAL_BUSINESS_TRANSITION = "ILLEGAL_BUSINESS_TRANSITION";

	/** The handler took longer than it may. */
	public static final String HANDLER_TIMEOUT = "HANDLER_TIMEOUT";

	/** No handler takes a message of this type. */
	public static final String UNKNOWN_MESSAGE_TYPE = "UNKNOWN_MESSAGE_TYPE";

	/** The delivery limit of the work queue was reached. */
	public static final String DELIVERY_LIMIT = "DELIVERY_LIMIT";

	/** Somebody rejected the message without requeueing it. */
	public static final String REJECTED = "REJECTED";

	/** The broker dropped the message from a full queue. */
	public static final String QUEUE_OVERFLOW = "QUEUE_OVERFLOW";

	/** The message's own time to live was over. */
	public static final String EXPIRED = "EXPIRED";

	/** All broker attempts were made. */
	public static final String RETRY_BUDGET_EXHAUSTED = "RETRY_BUDGET_EXHAUSTED";

	/** The next attempt would come later after the first failure than is allowed. */
	public static final String RETRY_AGE_EXCEEDED = "RETRY_AGE_EXCEEDED";

	/** The headers are too large to be published again with ours. */
	public static final String HEADERS_TOO_LARGE = "HEADERS_TOO_LARGE";

	/**
	 * A property or header can't be published again as it is, such as a name of more than
	 * 255 bytes.
	 */
	public static final String UNPUBLISHABLE = "UNPUBLISHABLE";

	/** Properties or headers can't be read, or not be written again as they are. */
	public static final String UNREADABLE = "UNREADABLE";

	/** The handler asked for a retry later, and gave no other reason. */
	public static final String RETRY_LATER = "RETRY_LATER";

	/** The handler gave its delivery back, and gave no other reason. */
	public static final String RETURNED = "RETURNED";

	/** Events have overtaken the command: nobody needs it any more. */
	public static final String STALE_COMMAND = "STALE_COMMAND";

	/** The event that tells of a business rejection could not be converted. */
	public static final String EVENT_CONVERSION_FAILED = "EVENT_CONVERSION_FAILED";

	/** No rule knows the failure. */
	public static final String UNKNOWN_FAILURE = "UNKNOWN_FAILURE";

	private Reasons() {
	}

}
