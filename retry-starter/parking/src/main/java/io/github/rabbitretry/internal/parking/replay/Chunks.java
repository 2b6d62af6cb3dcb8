/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Many ids in statements of bounded length: PostgreSQL takes 65,535 parameters.
 */
final class Chunks {

	private static final int SIZE = 1000;

	private Chunks() {
	}

	/**
	 * Changes rows, in the order of their ids, so that two who change the same rows never
	 * wait for each other.
	 * @param ids which rows
	 * @param change changes some of them and says how many it changed
	 * @return how many were changed
	 */
	static int sum(List<Long> ids, ToIntFunction<List<Long>> change) {
		List<Long> sorted = ids.stream().sorted().toList();
		int changed = 0;
		for (int from = 0; from < sorted.size(); from += SIZE) {
			changed += change.applyAsInt(sorted.subList(from, Math.min(from + SIZE, sorted.size())));
		}
		return changed;
	}

}
