/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Exchanges that the broker refused a moment ago. Each such reply costs a channel, and
 * whoever names such an exchange may do so again and again. For one thread.
 */
final class RefusedExchanges {

	private static final long REMEMBERED = Duration.ofSeconds(30).toNanos();

	private static final int MOST = 100;

	private final LongSupplier nanos;

	private final Map<String, Long> since = new LinkedHashMap<>() {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
			return size() > MOST;
		}

	};

	RefusedExchanges(LongSupplier nanos) {
		this.nanos = nanos;
	}

	/**
	 * Remembers an exchange. Never the default one, through which most replies go.
	 * @param exchange its name
	 */
	void add(String exchange) {
		if (!exchange.isEmpty()) {
			this.since.put(exchange, this.nanos.getAsLong());
		}
	}

	boolean contains(String exchange) {
		Long added = this.since.get(exchange);
		if (added != null && this.nanos.getAsLong() - added > REMEMBERED) {
			this.since.remove(exchange);
			return false;
		}
		return added != null;
	}

}
