/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.message;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A parked message without body and headers. A message that was replayed and parked again
 * has one summary for each time it was parked.
 *
 * @param id its id in the ledger
 * @param state its state
 * @param queue the work queue
 * @param messageType the message type
 * @param owner the owner of the message type
 * @param reason why it was parked
 * @param failureReason why it failed last, if that is a different reason
 * @param failureClass the failure class, as spelled in headers
 * @param fingerprint equal for similar failures, {@code none} if unknown
 * @param exception the classes of the exception and its causes
 * @param exceptionMessage the exception's text
 * @param handlerVersion the version of the handler
 * @param consumer the application that handled it
 * @param messageId the message id
 * @param correlationId the correlation id
 * @param causationId the id of the message that caused it
 * @param aggregateId the id of the affected business entity
 * @param schemaVersion the version of the payload's schema
 * @param producer the producer
 * @param attempts broker attempts made
 * @param firstSeenAt when it failed first
 * @param lastFailedAt when it failed last
 * @param parkedAt when it was parked
 * @param replayId the replay that it came back from
 * @param payload how much of the body the ledger holds, which determines whether it can
 * be replayed
 * @param payloadHash SHA-256 of the body as it was parked, in hexadecimal
 * @param cause the cause of the last failure
 * @param deletedAt when retention deletes it at the earliest, whatever its state, or
 * {@code null} if this application never does
 */
public record ParkedSummary(long id, ParkedState state, String queue, String messageType, String owner, String reason,
		@Nullable String failureReason, String failureClass, String fingerprint, @Nullable String exception,
		@Nullable String exceptionMessage, @Nullable String handlerVersion, @Nullable String consumer,
		@Nullable String messageId, @Nullable String correlationId, @Nullable String causationId,
		@Nullable String aggregateId, @Nullable String schemaVersion, @Nullable String producer, int attempts,
		Instant firstSeenAt, Instant lastFailedAt, Instant parkedAt, @Nullable String replayId, PayloadState payload,
		String payloadHash, FailureCause cause, @Nullable Instant deletedAt) {
}
