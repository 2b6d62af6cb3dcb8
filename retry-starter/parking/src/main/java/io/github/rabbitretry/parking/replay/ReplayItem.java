/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * One message of a replay.
 *
 * @param sequence its place, from 1
 * @param parkedId its id in the ledger
 * @param state where it stands
 * @param since since when
 * @param publishedAt when the broker had confirmed it, or {@code null} if it has not
 * @param detail why it can't be published, or {@code null} if it can
 */
public record ReplayItem(long sequence, long parkedId, State state, Instant since, @Nullable Instant publishedAt,
		@Nullable String detail) {

	/**
	 * Where a message of a replay stands. The names are those of the database.
	 */
	public enum State {

		/** It is selected and its turn has not come. */
		SELECTED,

		/** It is being published; whoever takes the replay over publishes it again. */
		CLAIMED,

		/** The broker has it, and its outcome is not known yet. */
		PUBLISHED,

		/**
		 * The replay ended while it was being published: the broker may have it or not.
		 */
		UNCERTAIN,

		/**
		 * It was uncertain, and somebody had it parked again: what is known of it from
		 * then on, another replay tells, unless it turns out that it was published.
		 */
		RESTORED,

		/** The listener handled it. */
		SUCCEEDED,

		/** It is in the parking lot again. */
		PARKED_AGAIN,

		/** The listener's policy discarded it. */
		DISCARDED,

		/**
		 * When its turn came it was no longer parked: discarded, deleted, or another
		 * replay's.
		 */
		SKIPPED,

		/** It can't be published as it was, and stays parked. */
		FAILED;

		/**
		 * Whether a message can go from this state to another. Of two outcomes the worse
		 * one stays: a message that was published twice may have both.
		 * @param next the other
		 * @return {@code false} if it can't, nor if both are the same
		 */
		public boolean canBecome(State next) {
			return switch (this) {
				case SELECTED -> next == CLAIMED || next == SKIPPED;
				case CLAIMED -> next != CLAIMED && next != SKIPPED && next != RESTORED;
				case PUBLISHED, RESTORED -> next == SUCCEEDED || next == PARKED_AGAIN || next == DISCARDED;
				case UNCERTAIN -> next == RESTORED || next == SUCCEEDED || next == PARKED_AGAIN || next == DISCARDED;
				case SUCCEEDED, DISCARDED -> next == PARKED_AGAIN;
				case PARKED_AGAIN, SKIPPED, FAILED -> false;
			};
		}

		/**
		 * Whether the listener has come to an end with it.
		 * @return {@code true} if there is an outcome
		 */
		public boolean decided() {
			return this == SUCCEEDED || this == PARKED_AGAIN || this == DISCARDED;
		}

	}

}
