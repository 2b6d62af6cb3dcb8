/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Tells from a message's headers that the clock of the instance that wrote them is ahead
 * of this one. That a clock is behind looks like a message that waited, so it can only be
 * seen by the other instance.
 */
public final class ClockSkew {

	/** Clocks that are synchronized at all differ by less. */
	public static final Duration TOLERATED = Duration.ofSeconds(30);

	private ClockSkew() {
	}

	/**
	 * By how much another instance's clock is ahead.
	 * @param headers the headers as received
	 * @param now the current instant
	 * @return at least this much; zero if it is tolerated, or so much that the header
	 * rather than the clock is wrong
	 */
	public static Duration ahead(Map<String, ?> headers, Instant now) {
		Instant written = HeaderReader.parse(headers.get(AppHeaders.LAST_FAILURE_AT));
		@Nullable Duration ahead = (written != null) ? Duration.between(now, written) : null;
		boolean ignored = ahead != null && ahead.compareTo(TOLERATED) > 0
				&& ahead.compareTo(DeliveryHistory.LONGEST_DELAY) <= 0;
		return ignored ? ahead : Duration.ZERO;
	}

}
