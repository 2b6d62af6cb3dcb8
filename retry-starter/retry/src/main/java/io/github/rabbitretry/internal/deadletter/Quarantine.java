/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deadletter;

import java.time.Instant;
import java.util.Map;

import io.github.rabbitretry.internal.handover.Acknowledgement;
import io.github.rabbitretry.internal.handover.CarriedHeaders;
import io.github.rabbitretry.internal.handover.ConfirmedPublisher;
import io.github.rabbitretry.internal.handover.HandoverCallback;
import io.github.rabbitretry.internal.handover.OutboundMessage;
import io.github.rabbitretry.internal.handover.OutboundMessageCheck;
import io.github.rabbitretry.internal.handover.OutboundProperties;
import io.github.rabbitretry.internal.handover.ReceivedMessage;
import io.github.rabbitretry.internal.handover.RetryHeaders;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.AppHeaders;

/**
 * Hands messages over to the quarantine queue, as they are. What the broker counted for
 * them is left behind, so that its count begins anew there.
 */
public final class Quarantine {

	private Quarantine() {
	}

	/**
	 * Begins to hand a message over.
	 * @param publisher the publisher to publish on
	 * @param policy the message type's policy, with a quarantine queue
	 * @param received the message as received
	 * @param acknowledgement its delivery
	 * @param now the current instant
	 * @param callback who is told
	 * @return {@code false} if its headers leave no room for ours or it can't be
	 * published as it is, and nothing was begun
	 */
	public static boolean begin(ConfirmedPublisher publisher, MessagePolicy policy, ReceivedMessage received,
			Acknowledgement acknowledgement, Instant now, HandoverCallback callback) {
		Map<String, Object> headers = CarriedHeaders.of(received.properties());
		RetryHeaders.origin(headers, policy, received);
		headers.put(AppHeaders.QUARANTINED_AT, now.toString());
		long id = publisher.nextId();
		headers.put(AppHeaders.HANDOVER_ID, id);
		OutboundProperties properties = OutboundProperties.of(received.properties(), headers,
				acknowledgement.frameMax());
		OutboundMessage copy = new OutboundMessage(policy.topology().deadLetterExchange(),
				policy.topology().quarantine(), properties.properties(), received.body());
		if (!properties.dropped().isEmpty()
				|| OutboundMessageCheck.problem(copy, acknowledgement.frameMax()).isPresent()) {
			return false;
		}
		publisher.submit(id, copy, acknowledgement, callback);
		return true;
	}

}
