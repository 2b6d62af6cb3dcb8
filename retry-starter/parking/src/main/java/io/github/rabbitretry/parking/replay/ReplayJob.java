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
 * A replay as it stands.
 *
 * @param id its id, which replayed messages carry in {@code x-replay-id}
 * @param application whose instances work on it
 * @param state where it stands
 * @param why why it was paused or ended, or {@code null} if it was not or all were
 * published
 * @param detail what more is known of that, or {@code null}
 * @param selection which messages it is of, in words
 * @param options how it goes about it
 * @param act who began it and why
 * @param edited whether it replays one edited message
 * @param cutOff messages parked later are not in it
 * @param startedAt when it was begun
 * @param endedAt when it ended, or {@code null} if it has not
 * @param stalled why it publishes less than it should for now, or nothing, or
 * {@code null} if it goes on
 * @param stalledSince since when, or {@code null} if it goes on
 * @param worker which instance works on it now, or {@code null} if none does
 * @param counts how many messages stand where
 */
public record ReplayJob(String id, String application, State state, @Nullable StopReason why, @Nullable String detail,
		String selection, ReplayOptions options, OperatorAction act, boolean edited, Instant cutOff, Instant startedAt,
		@Nullable Instant endedAt, @Nullable String stalled, @Nullable Instant stalledSince, @Nullable String worker,
		Counts counts) {

	/**
	 * Where a replay stands. The names are those of the database.
	 */
	public enum State {

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
		 * It published what was still there: some of its messages were skipped, since
		 * they were no longer parked when their turn came.
		 */
		INCOMPLETE;

		private static final Set<State> ACTIVE = EnumSet.of(CANARY, RUNNING, PAUSED);

		/**
		 * Whether a replay can go from this state to another.
		 * @param next the other
		 * @return {@code false} if it can't, nor if both are the same
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

	/**
	 * Why a replay was paused or ended. The names are those of the database.
	 */
	public enum StopReason {

		/** Somebody wanted it. */
		ASKED_FOR,

		/** Not all messages of the canary succeeded. */
		CANARY_FAILED,

		/** The canary's outcome was not known in time. */
		CANARY_UNDECIDED,

		/** Too many messages came to the parking lot again. */
		TOO_MANY_PARKED_AGAIN,

		/** Some messages were no longer parked when their turn came. */
		MESSAGES_SKIPPED,

		/**
		 * The broker has no way to the queue: an exchange, a binding or the queue is
		 * gone.
		 */
		UNROUTABLE

	}

	/**
	 * How many messages of a replay stand where.
	 *
	 * @param selected all of them
	 * @param waiting not yet published; if the replay has ended, never
	 * @param inFlight being published
	 * @param undecided published, outcome not known yet; for a target, for ever
	 * @param uncertain perhaps published
	 * @param succeeded handled by the listener
	 * @param parkedAgain in the parking lot again
	 * @param discarded discarded by the listener's policy
	 * @param skipped no longer parked when their turn came
	 * @param failed not to be published as they were
	 * @param restored once uncertain, and parked again since somebody wanted it
	 */
	public record Counts(long selected, long waiting, long inFlight, long undecided, long uncertain, long succeeded,
			long parkedAgain, long discarded, long skipped, long failed, long restored) {

		/**
		 * How many have an outcome.
		 * @return the number
		 */
		public long decided() {
			return this.succeeded + this.parkedAgain + this.discarded;
		}

		/**
		 * Whether too many came to the parking lot again.
		 * @param percent the bound, from 0 to 100
		 * @param minimum the least number of outcomes
		 * @return {@code true} if the share is above the bound
		 */
		public boolean parkedAgainAbove(double percent, int minimum) {
			return decided() >= minimum && this.parkedAgain * 100.0 > percent * decided();
		}

	}

}
