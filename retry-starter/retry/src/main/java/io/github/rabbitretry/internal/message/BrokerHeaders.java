/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

import java.util.Set;

/**
 * The headers that the broker makes. A client that sends them back is not believed, or
 * worse, is half believed: since RabbitMQ 4.0 a client's {@code x-death} is not counted
 * on, and a client's {@code x-delivery-count} is delivered as sent. So no copy carries
 * them.
 */
public final class BrokerHeaders {

	/** The history of deaths, newest first. */
	public static final String DEATH = "x-death";

	/** Deliveries that were not settled, counted by quorum queues. */
	public static final String DELIVERY_COUNT = "x-delivery-count";

	/**
	 * Until when RabbitMQ 4.4 keeps a published message in its queue, in milliseconds
	 * since the epoch. It stamps each message with it, and a copy that carried a
	 * producer's would be delayed again.
	 */
	public static final String DELIVERY_TIME = "x-opt-delivery-time";

	private static final Set<String> MADE = Set.of(DEATH, DELIVERY_COUNT, "x-acquired-count", DELIVERY_TIME);

	private BrokerHeaders() {
	}

	/**
	 * Whether the broker makes this header.
	 * @param name the header's name
	 * @return {@code true} if a copy must not carry it
	 */
	public static boolean madeByBroker(String name) {
		return MADE.contains(name) || name.startsWith("x-first-death-") || name.startsWith("x-last-death-");
	}

}
