/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The current state of a replay.
 *
 * @param id its id, which replayed messages carry in {@code x-replay-id}
 * @param application the application whose instances work on it
 * @param state its state
 * @param why why it was paused or ended, or {@code null} if it was not or all messages
 * were published
 * @param detail further details, or {@code null}
 * @param selection a description of the selected messages
 * @param options its options
 * @param act who started it and why
 * @param edited whether it replays one edited message
 * @param cutOff messages parked later are not part of it
 * @param startedAt when it was started
 * @param endedAt when it ended, or {@code null} if it has not
 * @param stalled why it currently publishes fewer messages than it should, or none, or
 * {@code null} if it is not stalled
 * @param stalledSince since when, or {@code null} if it is not stalled
 * @param worker the instance that currently works on it, or {@code null} if none does
 * @param counts the number of messages in each state
 */
public record ReplayJob(String id, String application, State state, @Nullable StopReason why, @Nullable String detail,
		String selection, ReplayOptions options, OperatorAction act, boolean edited, Instant cutOff, Instant startedAt,
		@Nullable Instant endedAt, @Nullable String stalled, @Nullable Instant stalledSince, @Nullable String worker,
		Counts counts) {

	/**
	 * The state of a replay. The names are used in the database.
	 */
	public enum State {

		/** The canary is being published, or its outcome is awaited. */
		CANARY,

		/** Messages are being published. */
		RUNNING,

		/** Nothing is published until it is resumed or aborted. */
		PAUSED,

		/** It stopped itself because messages did not succeed. */
		STOPPED,

		/** It was aborted by a user. */
		ABORTED,

		/** All messages that can be were published; outcomes may still arrive. */
		FINISHED,

		/**
		 * It published all messages that were still parked; the others were skipped.
		 */
		INCOMPLETE;

		private static final Set<State> ACTIVE = EnumSet.of(CANARY, RUNNING, PAUSED);

		/**
		 * Whether a replay can change from this state to another.
		 * @param next the other state
		 * @return {@code false} if it cannot, or if both are the same
		 */
		public boolean canBecome(State next) {
			return switch (this) {
				case CANARY -> next != CANARY && next != FINISHED && next != INCOMPLETE;
				case RUNNING -> next != CANARY && next != RUNNING;
				case PAUSED -> next == CANARY || next == RUNNING || next == ABORTED;
				case STOPPED, ABORTED, FINISHED, INCOMPLETE -> false;
			};
		}

		/**
		 * Whether messages are being published, or may be published again.
		 * @return {@code false} once it has ended
		 */
		public boolean active() {
			return ACTIVE.contains(this);
		}

		/** Whether an instance has to work on it. */
		public boolean works() {
			return this == CANARY || this == RUNNING;
		}

	}

	/**
	 * Why a replay was paused or ended. The names are used in the database.
	 */
	public enum StopReason {

		/** A user requested it. */
		ASKED_FOR,

		/** Not all messages of the canary succeeded. */
		CANARY_FAILED,

		/** The canary's outcome was not known in time. */
		CANARY_UNDECIDED,

		/** Too many messages were parked again. */
		TOO_MANY_PARKED_AGAIN,

		/** Some messages were no longer parked when they were to be published. */
		MESSAGES_SKIPPED,

		/**
		 * The broker has no route to the queue: an exchange, a binding or the queue is
		 * missing.
		 */
		UNROUTABLE

	}

	/**
	 * The number of a replay's messages in each state.
	 *
	 * @param selected all messages
	 * @param waiting not yet published, or never if the replay has ended
	 * @param inFlight being published
	 * @param undecided published with an unknown outcome; of copies for inspection, it
	 * remains unknown
	 * @param uncertain possibly published
	 * @param succeeded handled by the listener, or moved to the target
	 * @param parkedAgain in the parking lot again
	 * @param discarded discarded by the listener's policy
	 * @param skipped no longer parked when they were to be published
	 * @param failed cannot be published unchanged
	 * @param restored formerly uncertain, and parked again by a user
	 */
	public record Counts(long selected, long waiting, long inFlight, long undecided, long uncertain, long succeeded,
			long parkedAgain, long discarded, long skipped, long failed, long restored) {

		/**
		 * The number of messages that have an outcome.
		 * @return the number
		 */
		public long decided() {
			return this.succeeded + this.parkedAgain + this.discarded;
		}

		/**
		 * Whether too many messages were parked again.
		 * @param percent the bound, from 0 to 100
		 * @param minimum the least number of outcomes
		 * @return {@code true} if the share is above the bound
		 */
		public boolean parkedAgainAbove(double percent, int minimum) {
			return decided() >= minimum && this.parkedAgain * 100.0 > percent * decided();
		}

	}

}
