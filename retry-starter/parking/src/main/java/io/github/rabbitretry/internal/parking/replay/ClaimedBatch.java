/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.util.List;

import io.github.rabbitretry.internal.parking.publication.ClaimedItem;
import io.github.rabbitretry.parking.replay.ReplayJob;

/**
 * What is to be done next.
 *
 * @param state where the job stands
 * @param claimed what to publish
 * @param exhausted whether nothing was left to be claimed
 * @param next the sequence after the last that was looked at, 0 if none was
 */
record ClaimedBatch(ReplayJob.State state, List<ClaimedItem> claimed, boolean exhausted, long next) {

	/** Another instance works on the job. */
	static final ClaimedBatch LOST = new ClaimedBatch(ReplayJob.State.ABORTED, List.of(), false, 0);

}
