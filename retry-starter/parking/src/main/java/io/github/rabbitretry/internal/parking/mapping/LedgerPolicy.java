/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.mapping;

import java.time.Duration;

import io.github.rabbitretry.internal.policy.ExceptionTexts;
import org.jspecify.annotations.Nullable;

/**
 * What the ledger does with one message type.
 *
 * @param messageType the policy's name
 * @param owner who answers for it
 * @param queue the work queue
 * @param parkingLot the queue of parked messages
 * @param retention how long a row is kept after the message was parked, or {@code null}
 * for ever
 * @param redaction what is hidden of the bodies
 * @param exceptionTexts what is stored of exceptions
 */
public record LedgerPolicy(String messageType, String owner, String queue, String parkingLot,
		@Nullable Duration retention, Redaction redaction, ExceptionTexts exceptionTexts) {
}
