/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.event.ReplayReference;
import io.github.rabbitretry.internal.message.ReceivedMessage;
import io.github.rabbitretry.internal.message.ReplayReferences;
import io.github.rabbitretry.internal.policy.MessagePolicy;

/**
 * Tells of the end of replayed messages. All others pass with one look into their
 * headers.
 */
public final class ReplayCompletion {

	private ReplayCompletion() {
	}

	public static void report(DeliveryListener events, MessagePolicy policy, ReceivedMessage received,
			ReplayReference.Outcome outcome) {
		ReplayReference mark = ReplayReferences.of(received.properties().getHeaders());
		if (mark != null) {
			events.replayEnded(policy.messageType(), mark, outcome);
		}
	}

}
