/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.it.TestBroker;

/**
 * Puts messages into a parking lot as a consumer would have.
 */
final class ParkedLot {

	private static final int AT_ONCE = 500;

	private final TestBroker broker;

	private final String queue;

	ParkedLot(TestBroker broker, String queue) {
		this.broker = broker;
		this.queue = queue;
	}

	static Map<String, Object> envelope() {
		return new HashMap<>(Map.ofEntries(Map.entry("x-app-retry-attempt", 5), Map.entry("x-app-retry-max", 5),
				Map.entry("x-app-retry-reason", "DOWNSTREAM_TIMEOUT"), Map.entry("x-app-retry-class", "transient"),
				Map.entry("x-app-first-failure-at", "2026-07-01T09:10:00Z"),
				Map.entry("x-app-last-failure-at", "2026-07-01T09:43:00Z"),
				Map.entry("x-app-cumulative-delay", 90_000L), Map.entry("x-app-retry-level", 3),
				Map.entry("x-app-downstream-calls", 12L), Map.entry("x-app-cost", 4L),
				Map.entry("x-app-escalated-at", "2026-07-01T09:30:00Z"), Map.entry("x-app-message-type", "Order"),
				Map.entry("x-app-retry-history", "2026-07-01T09:43:00Z #6 DOWNSTREAM_TIMEOUT parked worker"),
				Map.entry("x-app-owner", "team-orders"), Map.entry("x-app-handler-version", "worker:1"),
				Map.entry("x-app-failure-fingerprint", "f1"), Map.entry("x-app-origin-exchange", "orders"),
				Map.entry("x-app-origin-routing-key", "order.create"), Map.entry("x-app-handover-id", 3L),
				Map.entry("x-app-parked-at", Instant.now().minusSeconds(60).toString())));
	}

	/** Parks numbered messages, each confirmed when this returns. */
	void park(int from, int to) {
		for (int number = from; number < to; number++) {
			publish(number);
			if ((number - from + 1) % AT_ONCE == 0) {
				confirmed();
			}
		}
		confirmed();
	}

	private void publish(int number) {
		try {
			BasicProperties properties = TestBroker.json("m-" + number).headers(envelope()).build();
			this.broker.channel()
				.basicPublish("", this.queue + ".parking-lot", true, properties, Integer.toString(number).getBytes());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void confirmed() {
		try {
			this.broker.channel().waitForConfirmsOrDie(30_000);
		}
		catch (IOException | TimeoutException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
