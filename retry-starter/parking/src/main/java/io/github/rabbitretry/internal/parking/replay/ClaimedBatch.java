/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.util.List;

import io.github.rabbitretry.parking.replay.JobState;

/**
 * What is to be done next.
 *
 * @param state where the job stands
 * @param claimed what to publish
 * @param exhausted whether nothing was left to be claimed
 */
record ClaimedBatch(JobState state, List<ClaimedItem> claimed, boolean exhausted) {

	/** Somebody else works on the job. */
	static final ClaimedBatch LOST = new ClaimedBatch(JobState.ABORTED, List.of(), false);

}
