/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * An action on parked messages.
 *
 * @param id its number
 * @param at when
 * @param user the user, {@code rabbit-retry} for actions of the replay itself
 * @param what the action
 * @param reason why
 * @param application the application that performed it
 * @param selection a description of the selected messages, or {@code null} if the replay
 * has it
 * @param replayId the replay that it concerns, or {@code null}
 * @param count how many messages it concerned
 * @param outcome the outcome at that time, or {@code null}
 * @param details what was changed in an edited message, or {@code null}
 */
public record AuditEntry(long id, Instant at, String user, Action what, String reason, String application,
		@Nullable String selection, @Nullable String replayId, long count, @Nullable String outcome,
		@Nullable String details) {

	/**
	 * The actions in the audit. The names are used in the database.
	 */
	public enum Action {

		/** A replay was started. */
		REPLAY,

		/** A replay was paused, by a user or by itself. */
		PAUSE,

		/** A replay was resumed. */
		RESUME,

		/** The rate of a replay was changed. */
		CHANGE_RATE,

		/** A replay was aborted. */
		ABORT,

		/** A replay stopped itself. */
		STOP,

		/** A replay published its last message. */
		FINISH,

		/**
		 * Messages that a replay may have published, or that were discarded, were parked
		 * again.
		 */
		RESTORE,

		/** Messages were discarded. */
		DISCARD,

		/** A message was edited and replayed. */
		EDIT,

		/** The body of a message, with its producer's headers, was shown. */
		READ_BODY

	}

}
