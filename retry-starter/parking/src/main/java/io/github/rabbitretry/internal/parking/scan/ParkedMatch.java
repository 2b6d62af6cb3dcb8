/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.scan;

import java.time.Instant;

import io.github.rabbitretry.internal.parking.mapping.KindText;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedSummary;
import org.jspecify.annotations.Nullable;

/**
 * Whether a message is meant, as the ledger's own search decides it.
 */
final class ParkedMatch {

	private ParkedMatch() {
	}

	static boolean matches(ParkedFilter filter, ParkedSummary message) {
		return same(filter.queue(), message.queue()) && same(filter.messageType(), message.messageType())
				&& (same(filter.reason(), message.reason()) || same(filter.reason(), message.failureReason()))
				&& same(filter.failureClass(), message.failureClass())
				&& same(filter.fingerprint(), message.fingerprint()) && same(filter.owner(), message.owner())
				&& same(filter.handlerVersion(), message.handlerVersion())
				&& same(filter.correlationId(), message.correlationId())
				&& same(filter.aggregateId(), message.aggregateId()) && same(filter.messageId(), message.messageId())
				&& same(filter.replayId(), message.replayId()) && same(filter.state(), message.state())
				&& same(filter.payload(), message.payload()) && same(filter.cause(), message.cause().id())
				&& same(filter.schemaVersion(), message.schemaVersion())
				&& (filter.text() == null || KindText.contains(message, filter.text()))
				&& between(filter.parkedFrom(), message.parkedAt(), filter.parkedBefore());
	}

	private static boolean same(@Nullable Object wanted, @Nullable Object value) {
		return wanted == null || wanted.equals(value);
	}

	private static boolean between(@Nullable Instant from, Instant parkedAt, @Nullable Instant before) {
		return (from == null || !parkedAt.isBefore(from)) && (before == null || parkedAt.isBefore(before));
	}

}
