/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deadletter;

import java.util.Map;

import io.github.rabbitretry.internal.delivery.Delivery;
import io.github.rabbitretry.internal.handover.HandoverCallback;
import io.github.rabbitretry.internal.delivery.RetryHeaders;
import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.internal.message.CarriedHeaders;
import io.github.rabbitretry.internal.topology.MessageTopology;

/**
 * Hands messages over to the quarantine queue, as they are. What the broker counted for
 * them is left behind, so that its count begins anew there.
 */
public final class Quarantine {

	private Quarantine() {
	}

	/**
	 * Begins to hand a message over.
	 * @param delivery the delivery, of a message type with a quarantine queue
	 * @param callback the callback to notify
	 * @return {@code false} if its headers leave no room for ours or it can't be
	 * published as it is, and nothing was begun
	 */
	public static boolean begin(Delivery delivery, HandoverCallback callback) {
		Map<String, Object> headers = CarriedHeaders.of(delivery.received().properties());
		RetryHeaders.origin(headers, delivery);
		headers.put(AppHeaders.QUARANTINED_AT, delivery.now().toString());
		MessageTopology topology = delivery.policy().topology();
		return delivery.handOverWhole(topology.deadLetterExchange(), topology.quarantine(), headers, callback);
	}

}
