/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deadletter;

import java.util.Map;
import java.util.Optional;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.internal.message.XDeath;

/**
 * From a broker-made death to why the message is parked. A message that the broker or a
 * consumer gave up on is poison until shown otherwise; one that found its queue full or
 * was too late is not at fault.
 */
public final class XDeathClassifier {

	private static final Map<String, Decision.Park> BY_DEATH = Map.of("delivery_limit",
			park(Reasons.DELIVERY_LIMIT, FailureClass.POISON), "rejected", park(Reasons.REJECTED, FailureClass.POISON),
			"maxlen", park(Reasons.QUEUE_OVERFLOW, FailureClass.TRANSIENT), "expired",
			park(Reasons.EXPIRED, FailureClass.TRANSIENT));

	private XDeathClassifier() {
	}

	/**
	 * Why a message is parked that died so.
	 * @param death its death, or empty if it is not known
	 * @return reason and failure class
	 */
	public static Decision.Park why(Optional<XDeath> death) {
		return death.map(XDeath::reason)
			.map(BY_DEATH::get)
			.orElseGet(() -> park(Reasons.UNKNOWN_FAILURE, FailureClass.UNKNOWN));
	}

	private static Decision.Park park(String reason, FailureClass failureClass) {
		return new Decision.Park(reason, failureClass, reason);
	}

}
