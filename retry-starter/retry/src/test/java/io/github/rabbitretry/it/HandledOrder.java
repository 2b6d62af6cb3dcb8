/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The order in which messages were handled. After a restart it may go back, since
 * messages are delivered at least once, but it never skips one.
 */
final class HandledOrder {

	private final Map<String, Integer> furthest = new HashMap<>();

	private final List<String> skipped = new ArrayList<>();

	private int repeated;

	/**
	 * A message was handled, or parked.
	 * @param key what it has to be in order with
	 * @param number its number among those with this key, from 0
	 */
	void handled(String key, int number) {
		int next = this.furthest.getOrDefault(key, -1) + 1;
		if (number > next) {
			this.skipped.add("%s: %d came after %d".formatted(key, number, next - 1));
		}
		if (number < next) {
			this.repeated++;
		}
		this.furthest.merge(key, number, Math::max);
	}

	/** What came too early. */
	List<String> skipped() {
		return this.skipped;
	}

	/** How many were handled again. */
	int repeated() {
		return this.repeated;
	}

	/** How many were handled at least once. */
	int messages() {
		return this.furthest.values().stream().mapToInt((number) -> number + 1).sum();
	}

}
