/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.policy;

import java.time.Duration;

/**
 * What counts as a sign of poison.
 *
 * @param quarantineAfter how often a message may have been delivered to consumers that
 * died before it is handled apart from others, 1 or more, or 0 for never
 * @param dominance the part of a message type's failures that one fingerprint, schema
 * version or producer version has to have to be a sign, more than 0 and at most 1
 * @param minFailures the failures within the window before anything is a sign, 2 or more
 * @param window the time over which failures are counted
 */
public record PoisonSettings(int quarantineAfter, double dominance, int minFailures, Duration window) {

	/**
	 * Fixed settings, and after how many deliveries to quarantine.
	 * @param deliveries the deliveries, or 0 for never
	 * @return the settings
	 */
	public static PoisonSettings quarantineAfter(int deliveries) {
		return new PoisonSettings(deliveries, 0.8, 20, Duration.ofMinutes(5));
	}

}
