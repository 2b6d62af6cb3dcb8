/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.message;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Selects parked messages that match all values that are set. All but {@code text} and
 * {@code anyId} match as a whole; all but {@code text} are case-sensitive; patterns are
 * not supported.
 *
 * @param queue the work queue, or {@code null} for any
 * @param messageType the message type, or {@code null} for any
 * @param reason why it was parked or failed last, or {@code null} for any
 * @param failureClass the failure class, as spelled in headers, such as
 * {@code permanent-technical}, or {@code null} for any
 * @param fingerprint the fingerprint of the failure, or {@code null} for any
 * @param owner the owner of the message type, or {@code null} for any
 * @param handlerVersion the version of the handler, or {@code null} for any
 * @param correlationId the correlation id, or {@code null} for any
 * @param aggregateId the business entity, or {@code null} for any
 * @param messageId the message id, or {@code null} for any
 * @param replayId the replay that it came back from, or {@code null} for any
 * @param state the state, or {@code null} for any
 * @param payload how much of the body the ledger holds, or {@code null} for any
 * @param parkedFrom parked at this instant or later, or {@code null} for any
 * @param parkedBefore parked before this instant, or {@code null} for any
 * @param cause the id of the cause of the failure, as in groups, or several that are
 * separated by commas; or {@code null} for any
 * @param text part of the queue, the message type, the reason, the exceptions' class
 * names or the text of the cause, in upper or lower case; in searches also as a log has
 * it, with the numbers and quoted texts that the cause leaves out, but not in selections;
 * or {@code null} for any
 * @param schemaVersion the version of the payload's schema, or {@code null} for any
 * @param anyId the beginning of the message id, the correlation id or the aggregate id,
 * or the whole id in the ledger or of the replay that it came back from; actions match
 * all of them as a whole; or {@code null} for any
 * @param auditId the audit entry of the action that discarded or restored it last, or
 * {@code null} for any
 */
public record ParkedFilter(@Nullable String queue, @Nullable String messageType, @Nullable String reason,
		@Nullable String failureClass, @Nullable String fingerprint, @Nullable String owner,
		@Nullable String handlerVersion, @Nullable String correlationId, @Nullable String aggregateId,
		@Nullable String messageId, @Nullable String replayId, @Nullable ParkedState state,
		@Nullable PayloadState payload, @Nullable Instant parkedFrom, @Nullable Instant parkedBefore,
		@Nullable String cause, @Nullable String text, @Nullable String schemaVersion, @Nullable String anyId,
		@Nullable Long auditId) {

	/**
	 * Validates the instants, the text and the causes, whose blanks are left out.
	 * @throws IllegalArgumentException if an instant is not in the years 1 to 9999, the
	 * text or the id is blank, or the id of a cause is
	 */
	public ParkedFilter {
		check("parkedFrom", parkedFrom);
		check("parkedBefore", parkedBefore);
		if (text != null && text.isBlank()) {
			throw new IllegalArgumentException("'text' is blank. Leave it out, or give a part of a text.");
		}
		if (anyId != null && anyId.isBlank()) {
			throw new IllegalArgumentException("'anyId' is blank. Leave it out, or give the beginning of an id.");
		}
		if (cause != null) {
			List<String> ids = Arrays.stream(cause.split(",", -1)).map(String::strip).toList();
			if (ids.contains("")) {
				throw new IllegalArgumentException("'cause' has a blank id. Give ids as a,b.");
			}
			cause = String.join(",", ids);
		}
	}

	/** The earliest instant that every database of the ledger can hold. */
	public static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");

	/** The latest instant that every database of the ledger can hold. */
	public static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

	/** Matches all parked messages. */
	public static final ParkedFilter ALL = new ParkedFilter(null, null, null, null, null, null, null, null, null, null,
			null, null, null, null, null, null, null, null, null, null);

	/**
	 * Returns a copy of this filter with another value.
	 * @param queue the work queue
	 * @return the new filter
	 */
	public ParkedFilter withQueue(String queue) {
		return new ParkedFilter(queue, this.messageType, this.reason, this.failureClass, this.fingerprint, this.owner,
				this.handlerVersion, this.correlationId, this.aggregateId, this.messageId, this.replayId, this.state,
				this.payload, this.parkedFrom, this.parkedBefore, this.cause, this.text, this.schemaVersion, this.anyId,
				this.auditId);
	}

	/**
	 * Returns a copy of this filter with another value.
	 * @param messageType the message type
	 * @return the new filter
	 */
	public ParkedFilter withMessageType(String messageType) {
		return new ParkedFilter(this.queue, messageType, this.reason, this.failureClass, this.fingerprint, this.owner,
				this.handlerVersion, this.correlationId, this.aggregateId, this.messageId, this.replayId, this.state,
				this.payload, this.parkedFrom, this.parkedBefore, this.cause, this.text, this.schemaVersion, this.anyId,
				this.auditId);
	}

	/**
	 * Returns a copy of this filter with another value.
	 * @param reason why it was parked or failed last
	 * @return the new filter
	 */
	public ParkedFilter withReason(String reason) {
		return new ParkedFilter(this.queue, this.messageType, reason, this.failureClass, this.fingerprint, this.owner,
				this.handlerVersion, this.correlationId, this.aggregateId, this.messageId, this.replayId, this.state,
				this.payload, this.parkedFrom, this.parkedBefore, this.cause, this.text, this.schemaVersion, this.anyId,
				this.auditId);
	}

	/**
	 * Returns a copy of this filter with another value.
	 * @param failureClass the failure class, as spelled in headers, such as
	 * {@code permanent-technical}
	 * @return the new filter
	 */
	public ParkedFilter withFailureClass(String failureClass) {
		return new ParkedFilter(this.queue, this.messageType, this.reason, failureClass, this.fingerprint, this.owner,
				this.handlerVersion, this.correlationId, this.aggregateId, this.messageId, this.replayId, this.state,
				this.payload, this.parkedFrom, this.parkedBefore, this.cause, this.text, this.schemaVersion, this.anyId,
				this.auditId);
	}

	/**
	 * Returns a copy of this filter with another value.
	 * @param fingerprint the fingerprint of the failure
	 * @return the new filter
	 */
	public ParkedFilter withFingerprint(String fingerprint) {
		return new ParkedFilter(this.queue, this.messageType, this.reason, this.failureClass, fingerprint, this.owner,
				this.handlerVersion, this.correlationId, this.aggregateId, this.messageId, this.replayId, this.state,
				this.payload, this.parkedFrom, this.parkedBefore, this.cause, this.text, this.schemaVersion, this.anyId,
				this.auditId);
	}

	/**
	 * Returns a copy of this filter with another value.
	 * @param owner the owner of the message type
	 * @return the new filter
	 */
	public ParkedFilter withOwner(String owner) {
		return new ParkedFilter(this.queue, this.messageType, this.reason, this.failureClass, this.fingerprint, owner,
				this.handlerVersion, this.correlationId, this.aggregateId, this.messageId, this.replayId, this.state,
				this.payload, this.parkedFrom, this.parkedBefore, this.cause, this.text, this.schemaVersion, this.anyId,
				this.auditId);
	}

	/**
	 * Returns a copy of this filter with another value.
	 * @param handlerVersion the version of the handler
	 * @return the new filter
	 */
	public ParkedFilter withHandlerVersion(String handlerVersion) {
		return new ParkedFilter(this.queue, this.messageType, this.reason, this.failureClass, this.fingerprint,
				this.owner, handlerVersion, this.correlationId, this.aggregateId, this.messageId, this.replayId,
				this.state, this.payload, this.parkedFrom, this.parkedBefore, this.cause, this.text, this.schemaVersion,
				this.anyId, this.auditId);
	}

	/**
	 * Returns a copy of this filter with another value.
	 * @param correlationId the correlation id
	 * @return the new filter
	 */
	public ParkedFilter withCorrelationId(String correlationId) {
		return new ParkedFilter(this.queue, this.messageType, this.reason, this.failureClass, this.fingerprint,
				this.owner, this.handlerVersion, correlationId, this.aggregateId, this.messageId, this.replayId,
				this.state, this.payload, this.parkedFrom, this.parkedBefore, this.cause, this.text, this.schemaVersion,
				this.anyId, this.auditId);
	}

	/**
	 * Returns a copy of this filter with another value.
	 * @param aggregateId the business entity
	 * @return the new filter
	 */
	public ParkedFilter withAggregateId(String aggregateId) {
		return new ParkedFilter(this.queue, this.messageType, this.reason, this.failureClass, this.fingerprint,
				this.owner, this.handlerVersion, this.correlationId, aggregateId, this.messageId, this.replayId,
				this.state, this.payload, this.parkedFrom, this.parkedBefore, this.cause, this.text, this.schemaVersion,
				this.anyId, this.auditId);
	}

	/**
	 * Returns a copy of this filter with another value.
	 * @param messageId the message id
	 * @return the new filter
	 */
	public ParkedFilter withMessageId(String messageId) {
		return new ParkedFilter(this.queue, this.messageType, this.reason, this.failureClass, this.fingerprint,
				this.owner, this.handlerVersion, this.correlationId, this.aggregateId, messageId, this.replayId,
				this.state, this.payload, this.parkedFrom, this.parkedBefore, this.cause, this.text, this.schemaVersion,
				this.anyId, this.auditId);
	}

	/**
	 * Returns a copy of this filter with another value.
	 * @param replayId the replay that it came back from
	 * @return the new filter
	 */
	public ParkedFilter withReplayId(String replayId) {
		return new ParkedFilter(this.queue, this.messageType, this.reason, this.failureClass, this.fingerprint,
				this.owner, this.handlerVersion, this.correlationId, this.aggregateId, this.messageId, replayId,
				this.state, this.payload, this.parkedFrom, this.parkedBefore, this.cause, this.text, this.schemaVersion,
				this.anyId, this.auditId);
	}

	/**
	 * Returns a copy of this filter with another value.
	 * @param state the state of the messages
	 * @return the new filter
	 */
	public ParkedFilter withState(ParkedState state) {
		return new ParkedFilter(this.queue, this.messageType, this.reason, this.failureClass, this.fingerprint,
				this.owner, this.handlerVersion, this.correlationId, this.aggregateId, this.messageId, this.replayId,
				state, this.payload, this.parkedFrom, this.parkedBefore, this.cause, this.text, this.schemaVersion,
				this.anyId, this.auditId);
	}

	/**
	 * Returns a copy of this filter with another value.
	 * @param payload how much of the bodies the ledger holds
	 * @return the new filter
	 */
	public ParkedFilter withPayload(PayloadState payload) {
		return new ParkedFilter(this.queue, this.messageType, this.reason, this.failureClass, this.fingerprint,
				this.owner, this.handlerVersion, this.correlationId, this.aggregateId, this.messageId, this.replayId,
				this.state, payload, this.parkedFrom, this.parkedBefore, this.cause, this.text, this.schemaVersion,
				this.anyId, this.auditId);
	}

	/**
	 * Returns a copy of this filter with another value.
	 * @param parkedFrom the earliest instant
	 * @return the new filter
	 */
	public ParkedFilter withParkedFrom(Instant parkedFrom) {
		return new ParkedFilter(this.queue, this.messageType, this.reason, this.failureClass, this.fingerprint,
				this.owner, this.handlerVersion, this.correlationId, this.aggregateId, this.messageId, this.replayId,
				this.state, this.payload, parkedFrom, this.parkedBefore, this.cause, this.text, this.schemaVersion,
				this.anyId, this.auditId);
	}

	/**
	 * Returns a copy of this filter with another value.
	 * @param parkedBefore the instant before which messages were parked
	 * @return the new filter
	 */
	public ParkedFilter withParkedBefore(Instant parkedBefore) {
		return new ParkedFilter(this.queue, this.messageType, this.reason, this.failureClass, this.fingerprint,
				this.owner, this.handlerVersion, this.correlationId, this.aggregateId, this.messageId, this.replayId,
				this.state, this.payload, this.parkedFrom, parkedBefore, this.cause, this.text, this.schemaVersion,
				this.anyId, this.auditId);
	}

	/**
	 * Returns a copy of this filter with another value.
	 * @param cause the id of the cause of the failure, as in groups, or several that are
	 * separated by commas
	 * @return the new filter
	 */
	public ParkedFilter withCause(String cause) {
		return new ParkedFilter(this.queue, this.messageType, this.reason, this.failureClass, this.fingerprint,
				this.owner, this.handlerVersion, this.correlationId, this.aggregateId, this.messageId, this.replayId,
				this.state, this.payload, this.parkedFrom, this.parkedBefore, cause, this.text, this.schemaVersion,
				this.anyId, this.auditId);
	}

	/**
	 * Returns a copy of this filter with another value.
	 * @param text part of the queue, the message type, the reason, the exceptions' class
	 * names or the text of the cause
	 * @return the new filter
	 */
	public ParkedFilter withText(String text) {
		return new ParkedFilter(this.queue, this.messageType, this.reason, this.failureClass, this.fingerprint,
				this.owner, this.handlerVersion, this.correlationId, this.aggregateId, this.messageId, this.replayId,
				this.state, this.payload, this.parkedFrom, this.parkedBefore, this.cause, text, this.schemaVersion,
				this.anyId, this.auditId);
	}

	/**
	 * Returns a copy of this filter with another value.
	 * @param schemaVersion the version of the payload's schema
	 * @return the new filter
	 */
	public ParkedFilter withSchemaVersion(String schemaVersion) {
		return new ParkedFilter(this.queue, this.messageType, this.reason, this.failureClass, this.fingerprint,
				this.owner, this.handlerVersion, this.correlationId, this.aggregateId, this.messageId, this.replayId,
				this.state, this.payload, this.parkedFrom, this.parkedBefore, this.cause, this.text, schemaVersion,
				this.anyId, this.auditId);
	}

	/**
	 * Returns a copy of this filter with another value.
	 * @param anyId the beginning of an id of the message
	 * @return the new filter
	 */
	public ParkedFilter withAnyId(String anyId) {
		return new ParkedFilter(this.queue, this.messageType, this.reason, this.failureClass, this.fingerprint,
				this.owner, this.handlerVersion, this.correlationId, this.aggregateId, this.messageId, this.replayId,
				this.state, this.payload, this.parkedFrom, this.parkedBefore, this.cause, this.text, this.schemaVersion,
				anyId, this.auditId);
	}

	/**
	 * Returns a copy of this filter with another value.
	 * @param auditId the audit entry of the action that discarded or restored messages
	 * @return the new filter
	 */
	public ParkedFilter withAuditId(long auditId) {
		return new ParkedFilter(this.queue, this.messageType, this.reason, this.failureClass, this.fingerprint,
				this.owner, this.handlerVersion, this.correlationId, this.aggregateId, this.messageId, this.replayId,
				this.state, this.payload, this.parkedFrom, this.parkedBefore, this.cause, this.text, this.schemaVersion,
				this.anyId, auditId);
	}

	private static void check(String what, @Nullable Instant instant) {
		if (instant != null && (instant.isBefore(EARLIEST) || instant.truncatedTo(ChronoUnit.MICROS).isAfter(LATEST))) {
			throw new IllegalArgumentException(
					"%s is %s. It must be from the year 1 to 9999.".formatted(what, instant));
		}
	}

}
