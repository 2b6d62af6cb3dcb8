/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.util.Set;

/**
 * The ways to space broker attempts, as {@code retry-backoff} spells them, and the keys
 * that each uses.
 */
enum BackoffKind {

	FIXED("initial-delay"), LINEAR("initial-delay", "max-delay"),
	EXPONENTIAL("initial-delay", "multiplier", "max-delay"),
	EXPONENTIAL_JITTER("initial-delay", "multiplier", "max-delay", "jitter"), SCHEDULE("schedule"),
	CALENDAR("initial-delay", "calendar");

	private final Set<String> keys;

	BackoffKind(String... keys) {
		this.keys = Set.of(keys);
	}

	boolean uses(String key) {
		return this.keys.contains(key);
	}

}
