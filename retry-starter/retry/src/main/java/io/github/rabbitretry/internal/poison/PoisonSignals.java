/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.poison;

import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

import io.github.rabbitretry.event.PoisonSignal;
import io.github.rabbitretry.internal.policy.MessagePolicy;

/**
 * The poison indicators in this process, as its own deliveries show them.
 */
public final class PoisonSignals {

	private final Map<String, PoisonDetector> byType = new LinkedHashMap<>();

	/**
	 * Creates the detectors.
	 * @param policies all policies
	 * @param headers those in which producers send versions
	 * @param listener the listener to notify of a signal, once within each window
	 * @param clock what time it is
	 */
	public PoisonSignals(Collection<MessagePolicy> policies, VersionHeaderNames headers,
			Consumer<PoisonSignal> listener, InstantSource clock) {
		policies.forEach((policy) -> this.byType.put(policy.messageType(),
				new PoisonDetector(policy, headers, listener, clock)));
	}

	/**
	 * The detector of one message type.
	 * @param messageType the policy's name
	 * @return the detector
	 */
	public PoisonDetector of(String messageType) {
		PoisonDetector detector = this.byType.get(messageType);
		if (detector == null) {
			throw new IllegalArgumentException("message type '%s' has no policy".formatted(messageType));
		}
		return detector;
	}

}
