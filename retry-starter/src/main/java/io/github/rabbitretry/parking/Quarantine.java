/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking;

import java.time.Instant;
import java.util.Map;

import io.github.rabbitretry.handover.Copy;
import io.github.rabbitretry.handover.CopyCheck;
import io.github.rabbitretry.handover.CopyProperties;
import io.github.rabbitretry.handover.HandoverCallback;
import io.github.rabbitretry.handover.HandoverLane;
import io.github.rabbitretry.handover.Original;
import io.github.rabbitretry.handover.Received;
import io.github.rabbitretry.handover.StoryHeaders;
import io.github.rabbitretry.handover.WaitingHeaders;
import io.github.rabbitretry.policy.MessagePolicy;
import io.github.rabbitretry.topology.AppHeaders;

/**
 * Hands messages over to the quarantine queue, as they are. What the broker counted for
 * them is left behind, so that its count begins anew there.
 */
public final class Quarantine {

	private Quarantine() {
	}

	/**
	 * Begins to hand a message over.
	 * @param lane the lane to publish on
	 * @param policy the message type's policy, with a quarantine queue
	 * @param received the message as received
	 * @param original its delivery
	 * @param now the current instant
	 * @param callback who is told
	 * @return {@code false} if its headers leave no room for ours or it can't be
	 * published as it is, and nothing was begun
	 */
	public static boolean begin(HandoverLane lane, MessagePolicy policy, Received received, Original original,
			Instant now, HandoverCallback callback) {
		Map<String, Object> headers = WaitingHeaders.of(received.properties());
		StoryHeaders.origin(headers, policy, received);
		headers.put(AppHeaders.QUARANTINED_AT, now.toString());
		long id = lane.nextId();
		headers.put(AppHeaders.HANDOVER_ID, id);
		CopyProperties properties = CopyProperties.of(received.properties(), headers, original.frameMax());
		Copy copy = new Copy(policy.topology().deadLetterExchange(), policy.topology().quarantine(),
				properties.properties(), received.body());
		if (!properties.dropped().isEmpty() || CopyCheck.problem(copy, original.frameMax()).isPresent()) {
			return false;
		}
		lane.submit(id, copy, original, callback);
		return true;
	}

}
