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
 * The signs of poison in this process, as its own deliveries show them.
 */
public final class PoisonSignals {

	private final Map<String, PoisonDetector> byType = new LinkedHashMap<>();

	/**
	 * Creates the signs.
	 * @param policies all policies
	 * @param headers where producers tell of versions
	 * @param told who is told of a signal, once within each window
	 * @param clock what time it is
	 */
	public PoisonSignals(Collection<MessagePolicy> policies, VersionHeaders headers, Consumer<PoisonSignal> told,
			InstantSource clock) {
		policies.forEach(
				(policy) -> this.byType.put(policy.messageType(), new PoisonDetector(policy, headers, told, clock)));
	}

	/**
	 * The signs of one message type.
	 * @param messageType the policy's name
	 * @return the signs
	 */
	public PoisonDetector of(String messageType) {
		PoisonDetector signals = this.byType.get(messageType);
		if (signals == null) {
			throw new IllegalArgumentException("message type '%s' has no policy".formatted(messageType));
		}
		return signals;
	}

}
