/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.chaos;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Goes through the ends of messages in their order.
 */
public final class ChaosTally {

	private final Map<Integer, String> keys;

	private final Set<Integer> ended = new HashSet<>();

	private final Map<String, Integer> last = new HashMap<>();

	private int duplicated;

	private int outOfOrder;

	/**
	 * Begins.
	 * @param keys the key of each message if those of a key are kept in order
	 */
	public ChaosTally(Map<Integer, String> keys) {
		this.keys = keys;
	}

	/**
	 * Goes on with the next messages that were handled.
	 * @param numbers their numbers
	 */
	public void handled(List<Integer> numbers) {
		for (Integer number : numbers) {
			if (!this.ended.add(number)) {
				this.duplicated++;
			}
			else if (this.keys.containsKey(number)
					&& this.last.merge(this.keys.get(number), number, Math::max) > number) {
				this.outOfOrder++;
			}
		}
	}

	/** Goes on with the next messages that were parked. */
	void parked(List<Integer> numbers) {
		this.duplicated += (int) numbers.stream().filter((number) -> !this.ended.add(number)).count();
	}

	/**
	 * Counts ends, so far, of messages that had ended before.
	 * @return their number
	 */
	public int duplicated() {
		return this.duplicated;
	}

	/**
	 * Counts messages, so far, handled for the first time after later ones of their key.
	 * @return their number
	 */
	public int outOfOrder() {
		return this.outOfOrder;
	}

}
