/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A message of a replay.
 *
 * @param sequence its position, from 1
 * @param parkedId its id in the ledger
 * @param state its state
 * @param since when it entered that state
 * @param publishedAt when the broker confirmed it, or {@code null} if it has not
 * @param detail why it cannot be published, or where it was moved to, or {@code null}
 */
public record ReplayItem(long sequence, long parkedId, State state, Instant since, @Nullable Instant publishedAt,
		@Nullable String detail) {

	/**
	 * The state of a message of a replay. The names are used in the database.
	 */
	public enum State {

		/** It is selected and not yet being published. */
		SELECTED,

		/**
		 * It is being published; an instance that takes over the replay publishes it
		 * again.
		 */
		CLAIMED,

		/** The broker has confirmed it, and its outcome is not known yet. */
		PUBLISHED,

		/**
		 * The replay ended while it was being published: the broker may or may not have
		 * it.
		 */
		UNCERTAIN,

		/**
		 * It was uncertain and was parked again by a user. From then on its outcome is
		 * tracked by another replay, unless it turns out that it was published.
		 */
		RESTORED,

		/** The listener handled it, or the broker has confirmed it at the target. */
		SUCCEEDED,

		/** It is in the parking lot again. */
		PARKED_AGAIN,

		/** The listener's policy discarded it. */
		DISCARDED,

		/**
		 * It was no longer parked when it was to be published: it was discarded, deleted,
		 * or taken by another replay.
		 */
		SKIPPED,

		/** It cannot be published unchanged, and stays parked. */
		FAILED;

		/**
		 * Whether a message can change from this state to another. If a message was
		 * published twice and has two outcomes, the worse one is kept.
		 * @param next the other state
		 * @return {@code false} if it cannot, or if both are the same
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
		 * Whether the message has an outcome.
		 * @return {@code true} if there is an outcome
		 */
		public boolean decided() {
			return this == SUCCEEDED || this == PARKED_AGAIN || this == DISCARDED;
		}

	}

}
