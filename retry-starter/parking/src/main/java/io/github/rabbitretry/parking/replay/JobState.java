/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import java.util.EnumSet;
import java.util.Set;

/**
 * Where a replay stands. The names are those of the database.
 */
public enum JobState {

	/** The canary is published, or its outcome is awaited. */
	CANARY,

	/** Messages are published. */
	RUNNING,

	/** Nothing is published until somebody resumes or aborts it. */
	PAUSED,

	/** It ended itself, since messages did not succeed. */
	STOPPED,

	/** Somebody ended it. */
	ABORTED,

	/** All messages were published; outcomes may still come. */
	FINISHED,

	/**
	 * It published what was still there: some of its messages were skipped, since they
	 * were no longer parked when their turn came.
	 */
	INCOMPLETE;

	private static final Set<JobState> ACTIVE = EnumSet.of(CANARY, RUNNING, PAUSED);

	/**
	 * Whether a replay can go from this state to another.
	 * @param next the other
	 * @return {@code false} if it can't, nor if both are the same
	 */
	public boolean canBecome(JobState next) {
		return switch (this) {
			case CANARY -> next != CANARY && next != FINISHED && next != INCOMPLETE;
			case RUNNING -> next != CANARY && next != RUNNING;
			case PAUSED -> next == CANARY || next == RUNNING || next == ABORTED;
			case STOPPED, ABORTED, FINISHED, INCOMPLETE -> false;
		};
	}

	/**
	 * Whether messages are, or may again be, published.
	 * @return {@code false} once it has ended
	 */
	public boolean active() {
		return ACTIVE.contains(this);
	}

	/** Whether somebody has to work on it. */
	public boolean works() {
		return this == CANARY || this == RUNNING;
	}

}
