/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.classify;

/**
 * The built-in reasons. Applications add their own with rules or a
 * {@link FailureClassifier}. The names are a contract, since they are used in headers,
 * metrics and configuration.
 */
public final class Reasons {

	/** The payload could not be converted into the listener's argument. */
	public static final String DESERIALIZATION_FAILED = "DESERIALIZATION_FAILED";

	/** The payload's schema version is not supported; assigned only by your own rules. */
	public static final String UNSUPPORTED_SCHEMA_VERSION = "UNSUPPORTED_SCHEMA_VERSION";

	/** The payload violates a validation constraint. */
	public static final String VALIDATION_FAILED = "VALIDATION_FAILED";

	/** A call to another system took too long. */
	public static final String DOWNSTREAM_TIMEOUT = "DOWNSTREAM_TIMEOUT";

	/** Another system could not be reached or is unavailable. */
	public static final String DOWNSTREAM_UNAVAILABLE = "DOWNSTREAM_UNAVAILABLE";

	/** Another system asked to slow down. */
	public static final String RATE_LIMITED = "RATE_LIMITED";

	/** Another system rejected the request itself; retrying cannot help. */
	public static final String DOWNSTREAM_REJECTED = "DOWNSTREAM_REJECTED";

	/** Data access failed with an error that will recur. */
	public static final String DATA_ACCESS_FAILED = "DATA_ACCESS_FAILED";

	/** An optimistic lock was lost. */
	public static final String OPTIMISTIC_LOCK_CONFLICT = "OPTIMISTIC_LOCK_CONFLICT";

	/** A pessimistic lock could not be acquired, or a deadlock was resolved. */
	public static final String LOCK_CONFLICT = "LOCK_CONFLICT";

	/** Business rules do not allow this transition; assigned only by your own rules. */
	public static final String ILLEGAL_BUSINESS_TRANSITION = "ILLEGAL_BUSINESS_TRANSITION";

	/** The handler exceeded its timeout. */
	public static final String HANDLER_TIMEOUT = "HANDLER_TIMEOUT";

	/** No handler accepts messages of this type. */
	public static final String UNKNOWN_MESSAGE_TYPE = "UNKNOWN_MESSAGE_TYPE";

	/** The handler succeeded, but its reply could not be sent. */
	public static final String REPLY_FAILED = "REPLY_FAILED";

	/** The listener tried to acknowledge or reject the message itself. */
	public static final String ACKNOWLEDGEMENT_REFUSED = "ACKNOWLEDGEMENT_REFUSED";

	/** The delivery limit of the work queue was reached. */
	public static final String DELIVERY_LIMIT = "DELIVERY_LIMIT";

	/** A consumer rejected the message without requeueing it. */
	public static final String REJECTED = "REJECTED";

	/** The broker dropped the message from a full queue. */
	public static final String QUEUE_OVERFLOW = "QUEUE_OVERFLOW";

	/** The message's own time to live expired. */
	public static final String EXPIRED = "EXPIRED";

	/** All broker attempts were made. */
	public static final String RETRY_BUDGET_EXHAUSTED = "RETRY_BUDGET_EXHAUSTED";

	/** The next attempt would be later after the first failure than allowed. */
	public static final String RETRY_AGE_EXCEEDED = "RETRY_AGE_EXCEEDED";

	/** The headers are too large to be published again together with ours. */
	public static final String HEADERS_TOO_LARGE = "HEADERS_TOO_LARGE";

	/**
	 * A property or header cannot be published again unchanged, such as a name of more
	 * than 255 bytes.
	 */
	public static final String UNPUBLISHABLE = "UNPUBLISHABLE";

	/** Properties or headers cannot be read, or cannot be written again unchanged. */
	public static final String UNREADABLE = "UNREADABLE";

	/** The handler asked for a retry later without another reason. */
	public static final String RETRY_LATER = "RETRY_LATER";

	/** The handler returned its delivery without another reason. */
	public static final String RETURNED = "RETURNED";

	/** The command is stale: later events have made it obsolete. */
	public static final String STALE_COMMAND = "STALE_COMMAND";

	/** The event of a business rejection could not be converted. */
	public static final String EVENT_CONVERSION_FAILED = "EVENT_CONVERSION_FAILED";

	/** No rule matches the failure. */
	public static final String UNKNOWN_FAILURE = "UNKNOWN_FAILURE";

	private Reasons() {
	}

}
