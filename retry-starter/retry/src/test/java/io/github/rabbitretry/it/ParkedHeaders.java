/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Headers of messages as they are in a parking lot.
 */
public final class ParkedHeaders {

	private final Map<String, Object> headers = new HashMap<>();

	private ParkedHeaders() {
	}

	/**
	 * The headers of a message that failed of a time-out.
	 * @param messageType the message type
	 * @param parkedAt when it was parked
	 * @return the headers, to be added to
	 */
	public static ParkedHeaders of(String messageType, Instant parkedAt) {
		return new ParkedHeaders().with("x-app-message-type", messageType)
			.with("x-app-owner", "team-orders")
			.with("x-app-consumer", "order-worker")
			.with("x-app-handler-version", "order-worker:1")
			.with("x-app-retry-attempt", 4)
			.with("x-app-retry-max", 4)
			.with("x-app-retry-reason", "RETRY_BUDGET_EXHAUSTED")
			.with("x-app-failure-reason", "DOWNSTREAM_TIMEOUT")
			.with("x-app-retry-class", "transient")
			.with("x-app-failure-fingerprint", "f-timeout")
			.with("x-app-exception", "java.net.SocketTimeoutException")
			.with("x-app-exception-message", "Read timed out")
			.with("x-app-first-failure-at", parkedAt.minusSeconds(600).toString())
			.with("x-app-last-failure-at", parkedAt.toString())
			.with("x-app-parked-at", parkedAt.toString());
	}

	/**
	 * Sets a header.
	 * @param name its name
	 * @param value its value
	 * @return this
	 */
	public ParkedHeaders with(String name, Object value) {
		this.headers.put(name, value);
		return this;
	}

	/**
	 * The headers.
	 * @return a copy
	 */
	public Map<String, Object> headers() {
		return Map.copyOf(this.headers);
	}

}
