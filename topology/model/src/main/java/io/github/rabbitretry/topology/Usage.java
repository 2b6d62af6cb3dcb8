/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.topology;

/**
 * What handling a message has cost so far, over all its deliveries, as reported by its
 * handler.
 *
 * @param downstreamCalls calls to other systems, 0 or more
 * @param cost units of cost, in a unit that the application chooses, 0 or more
 */
public record Usage(long downstreamCalls, long cost) {

	/** No usage. */
	public static final Usage NONE = new Usage(0, 0);

	/** The maximum that is counted of either; no budget is larger. */
	public static final long LARGEST = 1_000_000_000_000L;

	public Usage {
		if (downstreamCalls < 0 || cost < 0) {
			throw new IllegalArgumentException(
					"spending must not be negative: %s calls, %s units".formatted(downstreamCalls, cost));
		}
		downstreamCalls = Math.min(downstreamCalls, LARGEST);
		cost = Math.min(cost, LARGEST);
	}

	/**
	 * Returns the sum of this usage and further usage.
	 * @param calls further calls, 0 or more
	 * @param units further units, 0 or more
	 * @return the sum, at most {@link #LARGEST} of each
	 */
	public Usage plus(long calls, long units) {
		return new Usage(this.downstreamCalls + Math.min(calls, LARGEST), this.cost + Math.min(units, LARGEST));
	}

}
