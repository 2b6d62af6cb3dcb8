/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

import io.github.rabbitretry.internal.logging.RateLimitedLog;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Whether the broker accepts anything for an exchange, and what it said when it closed
 * channels to it.
 */
final class RefusedExchange {

	private static final Log logger = LogFactory.getLog(RefusedExchange.class);

	private final String exchange;

	private final ReconnectBackoff probing = new ReconnectBackoff(Duration.ofMillis(500), Duration.ofSeconds(3));

	private final Map<PublicationFailure, RateLimitedLog> warnings = new EnumMap<>(PublicationFailure.class);

	private volatile boolean refused;

	private volatile String brokerText = "";

	RefusedExchange(String exchange) {
		this.exchange = exchange;
		for (PublicationFailure why : PublicationFailure.values()) {
			this.warnings.put(why, new RateLimitedLog(logger, Duration.ofSeconds(30)));
		}
	}

	/** It is missing, or forbidden: nothing is accepted. */
	boolean refused() {
		return this.refused;
	}

	/**
	 * A channel was closed.
	 * @param why what that means
	 * @param text what the broker said
	 */
	void closed(PublicationFailure why, String text) {
		this.brokerText = text;
		if (why.ofTheExchange()) {
			this.refused = true;
		}
		RateLimitedLog warning = this.warnings.get(why);
		if (warning != null) {
			warning.warn(
					() -> "The channel that publishes to exchange '%s' was closed: %s".formatted(this.exchange, text));
		}
	}

	/** Something was accepted. */
	void accepted() {
		this.refused = false;
		this.probing.succeeded();
		logger.info("The broker accepts copies for exchange '%s' again".formatted(this.exchange));
	}

	/** Whether one message may be published to find out. */
	boolean mayProbe() {
		return this.probing.due();
	}

	void probed() {
		this.probing.attempted();
	}

	/**
	 * What the broker said when it closed a channel to the exchange last.
	 * @return its text, empty if it did not
	 */
	String brokerText() {
		return this.brokerText;
	}

}
