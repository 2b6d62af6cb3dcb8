/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import io.github.rabbitretry.event.EscalatedMessage;
import io.github.rabbitretry.internal.delivery.Delivery;
import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.internal.policy.EscalateAfter;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether the owner of a message that is tried on is to be notified, which the
 * copy remembers.
 */
final class Escalation {

	private Escalation() {
	}

	/**
	 * Marks the copy if the owner is to be notified.
	 * @param delivery the delivery
	 * @param attempt the broker attempt that the copy waits for
	 * @param reason why it failed last
	 * @param headers the copy's headers
	 * @return the notification, or {@code null} if it is too early or was done
	 */
	static @Nullable EscalatedMessage mark(Delivery delivery, int attempt, String reason, Map<String, Object> headers) {
		EscalateAfter after = delivery.policy().escalateAfter();
		if (after == null || delivery.history().escalatedAt() != null) {
			return null;
		}
		Instant first = delivery.history().firstFailureAt();
		Duration age = (first != null) ? Duration.between(first, delivery.now()) : Duration.ZERO;
		if (!after.reached(attempt, age)) {
			return null;
		}
		headers.put(AppHeaders.ESCALATED_AT, delivery.now().toString());
		String id = delivery.received().properties().getMessageId();
		return new EscalatedMessage(delivery.messageType(), delivery.policy().owner(), (id != null) ? id : "", attempt,
				age, reason);
	}

}
