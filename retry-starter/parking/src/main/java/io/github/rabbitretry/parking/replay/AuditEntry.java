/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * One act on parked messages.
 *
 * @param id its number
 * @param at when
 * @param user who; {@code rabbit-retry} for what a replay does by itself
 * @param what what was done
 * @param reason why
 * @param dryRun whether it was only tried
 * @param application which application did it
 * @param selection which messages were meant, in words, or {@code null} if the replay
 * says
 * @param replayId the replay it is about, or {@code null}
 * @param count how many messages it concerned
 * @param outcome what came of it by then, or {@code null}
 * @param details what was changed in an edited message, or {@code null}
 */
public record AuditEntry(long id, Instant at, String user, Action what, String reason, boolean dryRun,
		String application, @Nullable String selection, @Nullable String replayId, long count, @Nullable String outcome,
		@Nullable String details) {

	/**
	 * What the audit tells of. The names are those of the database.
	 */
	public enum Action {

		/** A replay was begun, or tried. */
		REPLAY,

		/** A replay was paused, by somebody or by itself. */
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
		 * Messages that a replay had perhaps published, or that were discarded, were
		 * parked again.
		 */
		RESTORE,

		/** Messages were discarded. */
		DISCARD,

		/** A message was edited and replayed. */
		EDIT

	}

}
