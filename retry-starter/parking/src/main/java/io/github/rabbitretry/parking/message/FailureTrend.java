/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.message;

import java.time.Instant;
import java.util.List;

/**
 * When the messages of a group were parked.
 *
 * @param cause the id of the group's cause
 * @param from when the first of them was parked
 * @param to the current instant, or later
 * @param counts how many were parked in each of equally long parts of this time, earliest
 * first
 * @param exact whether they were all counted; counts of large groups are estimated
 */
public record FailureTrend(String cause, Instant from, Instant to, List<Long> counts, boolean exact) {

	/** The number of parts. */
	public static final int PARTS = 24;

	public FailureTrend {
		counts = List.copyOf(counts);
	}

}
