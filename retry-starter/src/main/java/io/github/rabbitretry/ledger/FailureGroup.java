/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.ledger;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Parked messages whose failures look alike.
 *
 * @param fingerprint what they have in common
 * @param count how many of them match the filter
 * @param firstParkedAt when the first of these was parked
 * @param lastParkedAt when the last of these was parked
 * @param queue the work queue, of the kind that was parked last, as all that follows
 * @param messageType the message type
 * @param owner who answers for it
 * @param reason why it was parked
 * @param failureClass the failure class, as headers spell it
 * @param exception the exception's class and its causes'
 * @param handlerVersions which code it happened in, the first one first
 */
public record FailureGroup(String fingerprint, long count, Instant firstParkedAt, Instant lastParkedAt, String queue,
		String messageType, String owner, String reason, String failureClass, @Nullable String exception,
		List<String> handlerVersions) {

	public FailureGroup {
		handlerVersions = List.copyOf(handlerVersions);
	}

}
