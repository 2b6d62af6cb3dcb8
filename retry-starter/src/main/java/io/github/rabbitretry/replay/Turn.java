/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.replay;

import java.util.List;

/**
 * What is to be done next.
 *
 * @param state where the job stands
 * @param claimed what to publish
 * @param exhausted whether nothing was left to be claimed
 */
record Turn(JobState state, List<Claimed> claimed, boolean exhausted) {

	/** Somebody else works on the job. */
	static final Turn LOST = new Turn(JobState.ABORTED, List.of(), false);

}
