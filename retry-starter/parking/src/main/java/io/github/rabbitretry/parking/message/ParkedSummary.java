/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.message;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What the ledger knows of one parking of a message, but for body and headers. A message
 * that was replayed and parked again has one for each parking.
 *
 * @param id its id in the ledger
 * @param state where it stands
 * @param queue the work queue
 * @param messageType the message type
 * @param owner who answers for it
 * @param reason why it was parked
 * @param failureReason why it failed last, where that is another reason
 * @param failureClass the failure class, as headers spell it
 * @param fingerprint equal for failures that look alike, {@code none} if the message says
 * nothing
 * @param exception the exception's class and its causes'
 * @param exceptionMessage the exception's text
 * @param handlerVersion which code handled it
 * @param consumer which application handled it
 * @param messageId the message id
 * @param correlationId what it belongs to
 * @param causationId which message caused it
 * @param aggregateId the business entity that is affected
 * @param schemaVersion the version of the payload's schema
 * @param producer who sent it
 * @param attempts broker attempts made
 * @param firstSeenAt when it failed first
 * @param lastFailedAt when it failed last
 * @param parkedAt when it was parked
 * @param replayId the replay that it came back from
 * @param payload how much of the body the ledger holds, and so whether it can be replayed
 * @param payloadHash SHA-256 of the body as it was parked, in hexadecimal
 * @param cause why it failed last
 */
public record ParkedSummary(long id, ParkedState state, String queue, String messageType, String owner, String reason,
		@Nullable String failureReason, String failureClass, String fingerprint, @Nullable String exception,
		@Nullable String exceptionMessage, @Nullable String handlerVersion, @Nullable String consumer,
		@Nullable String messageId, @Nullable String correlationId, @Nullable String causationId,
		@Nullable String aggregateId, @Nullable String schemaVersion, @Nullable String producer, int attempts,
		Instant firstSeenAt, Instant lastFailedAt, Instant parkedAt, @Nullable String replayId, PayloadState payload,
		String payloadHash, FailureCause cause) {
}
