/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

/**
 * What the audit tells of. The names are those of the database.
 */
public enum AuditAction {

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
	 * Messages that a replay had perhaps published, or that were discarded, were parked
	 * again.
	 */
	RESTORE,

	/** Messages were discarded. */
	DISCARD,

	/** A message was edited and replayed. */
	EDIT

}
