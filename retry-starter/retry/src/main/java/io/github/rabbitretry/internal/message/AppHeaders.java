/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

/**
 * The headers that record a message's history. Together with their values they take at
 * most {@link #LARGEST_TOTAL} bytes of a message.
 */
public final class AppHeaders {

	/** What all of them begin with. */
	public static final String PREFIX = "x-app-";

	/** The most that all of them may take, names and values encoded, in bytes. */
	public static final int LARGEST_TOTAL = 16 * 1024;

	/** Broker attempts made, an int. */
	public static final String RETRY_ATTEMPT = "x-app-retry-attempt";

	/** Broker attempts allowed, an int. */
	public static final String RETRY_MAX = "x-app-retry-max";

	/** The last reason. */
	public static final String RETRY_REASON = "x-app-retry-reason";

	/** The last failure class. */
	public static final String RETRY_CLASS = "x-app-retry-class";

	/** When the message failed first, ISO-8601 in UTC. */
	public static final String FIRST_FAILURE_AT = "x-app-first-failure-at";

	/** When the message failed last, ISO-8601 in UTC. */
	public static final String LAST_FAILURE_AT = "x-app-last-failure-at";

	/** What became of each of the last attempts; see {@link AttemptHistory}. */
	public static final String RETRY_HISTORY = "x-app-retry-history";

	/** The delay asked for, in milliseconds, a long. */
	public static final String RETRY_DELAY = "x-app-retry-delay";

	/**
	 * When the handler may be called next, ISO-8601 in UTC. A message that comes back
	 * earlier, because the retry queue's delay is shorter or a broker policy shortens it,
	 * waits on.
	 */
	public static final String RETRY_NOT_BEFORE = "x-app-retry-not-before";

	/** The sum of the delays asked for, in milliseconds, a long. */
	public static final String CUMULATIVE_DELAY = "x-app-cumulative-delay";

	/** The delay level last waited on, from 1, an int; see the handler's next level. */
	public static final String RETRY_LEVEL = "x-app-retry-level";

	/** Calls to other systems that handlers reported so far, a long. */
	public static final String DOWNSTREAM_CALLS = "x-app-downstream-calls";

	/** Units of cost that handlers reported so far, a long. */
	public static final String COST = "x-app-cost";

	/** When it was reported that the message keeps failing, ISO-8601 in UTC. */
	public static final String ESCALATED_AT = "x-app-escalated-at";

	/** When the message was handed over to the quarantine, ISO-8601 in UTC. */
	public static final String QUARANTINED_AT = "x-app-quarantined-at";

	/** The policy's name. */
	public static final String MESSAGE_TYPE = "x-app-message-type";

	/** The consuming application's name. */
	public static final String CONSUMER = "x-app-consumer";

	/** Who answers for the message type. */
	public static final String OWNER = "x-app-owner";

	/** The exchange that the message was first published to. */
	public static final String ORIGIN_EXCHANGE = "x-app-origin-exchange";

	/** The routing key that the message was first published with. */
	public static final String ORIGIN_ROUTING_KEY = "x-app-origin-routing-key";

	/** The work queue. */
	public static final String ORIGIN_QUEUE = "x-app-origin-queue";

	/** The message id as first published. */
	public static final String ORIGIN_MESSAGE_ID = "x-app-origin-message-id";

	/** The message's own time to live, taken off so that no queue mixes them. */
	public static final String ORIGIN_EXPIRATION = "x-app-origin-expiration";

	/** The producer's user id, taken off since the broker refuses a stranger's. */
	public static final String ORIGIN_USER_ID = "x-app-origin-user-id";

	/** The carbon copies, taken off so that their queues get no duplicates. */
	public static final String ORIGIN_CC = "x-app-origin-cc";

	/** The class of the exception, its causes behind it. */
	public static final String EXCEPTION = "x-app-exception";

	/** The message of the exception. */
	public static final String EXCEPTION_MESSAGE = "x-app-exception-message";

	/** The class of the innermost exception. */
	public static final String ROOT_EXCEPTION = "x-app-root-exception";

	/** The message of the innermost exception. */
	public static final String ROOT_EXCEPTION_MESSAGE = "x-app-root-exception-message";

	/** The top frames of the innermost exception, and the listener's. */
	public static final String EXCEPTION_FRAMES = "x-app-exception-frames";

	/** Equal for failures that look alike. */
	public static final String FAILURE_FINGERPRINT = "x-app-failure-fingerprint";

	/** The reason of the last failure, where the reason of parking is another. */
	public static final String FAILURE_REASON = "x-app-failure-reason";

	/** SHA-256 of the body, in hexadecimal. */
	public static final String PAYLOAD_HASH = "x-app-payload-hash";

	/** Which code handled the message. */
	public static final String HANDLER_VERSION = "x-app-handler-version";

	/** The dead-letter queue that the ledger took the message from, if not from ours. */
	public static final String ADOPTED_FROM = "x-app-adopted-from";

	/** When the message was parked, ISO-8601 in UTC. */
	public static final String PARKED_AT = "x-app-parked-at";

	/** When the message may be replayed, in the owner's words. */
	public static final String REPLAY_POLICY = "x-app-replay-policy";

	/** Headers that did not fit, by name. */
	public static final String DROPPED_HEADERS = "x-app-dropped-headers";

	/**
	 * Properties and headers that can't be published as they are: a list of tables, each
	 * with {@code property} or {@code header}, the name, and {@code value}.
	 */
	public static final String UNPUBLISHABLE = "x-app-unpublishable";

	/** On an event of a business rejection: why. */
	public static final String REJECTION_REASON = "x-app-rejection-reason";

	/** On an event of a business rejection: the failure class. */
	public static final String REJECTION_CLASS = "x-app-rejection-class";

	/** When the message was rejected, ISO-8601 in UTC. */
	public static final String REJECTED_AT = "x-app-rejected-at";

	/** The consuming application's name. */
	public static final String REJECTED_BY = "x-app-rejected-by";

	/** The rejected message's type, the policy's name. */
	public static final String REJECTED_TYPE = "x-app-rejected-type";

	/** The broker attempts made for the rejected message, an int. */
	public static final String REJECTED_ATTEMPT = "x-app-rejected-attempt";

	/** The rejected message's id, as first published. */
	public static final String REJECTED_MESSAGE_ID = "x-app-rejected-message-id";

	/** The work queue of the rejected message. */
	public static final String REJECTED_QUEUE = "x-app-rejected-queue";

	/** The exchange that the rejected message was first published to. */
	public static final String REJECTED_EXCHANGE = "x-app-rejected-exchange";

	/** The routing key that the rejected message was first published with. */
	public static final String REJECTED_ROUTING_KEY = "x-app-rejected-routing-key";

	/** Identifies a copy while it is being handed over; means nothing later. */
	public static final String HANDOVER_ID = "x-app-handover-id";

	private AppHeaders() {
	}

}
