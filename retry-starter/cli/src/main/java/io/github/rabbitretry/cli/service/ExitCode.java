/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.service;

/**
 * How a command ends. Scripts rely on the numbers: they don't change.
 */
public enum ExitCode {

	/** It is done. */
	DONE(0),

	/**
	 * A replay was paused or has ended, or the topology was examined: not all is well.
	 */
	NOT_WELL(1),

	/** The command can't be understood. */
	USAGE(2),

	/** The service refuses. */
	REFUSED(3),

	/** There is no such message or replay. */
	NOT_FOUND(4),

	/** The service, the broker or the database can't be used now. */
	UNAVAILABLE(5),

	/** A replay published all that was there: some of its messages were taken from it. */
	INCOMPLETE(6),

	/** A bug of this program. */
	BUG(70),

	/** What was answered could not be written to standard output. */
	NOT_WRITTEN(74),

	/** Interrupted, as shells number it. */
	INTERRUPTED(130);

	private final int number;

	ExitCode(int number) {
		this.number = number;
	}

	/**
	 * The number.
	 * @return the process's exit status
	 */
	public int number() {
		return this.number;
	}

}
