/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.provision;

/**
 * A provider provides nothing here; the message is the reason that the user reads if no
 * other one does either.
 */
public class PassedOverException extends Exception {

	/**
	 * A reason of our own.
	 * @param reason why
	 */
	public PassedOverException(String reason) {
		super(reason);
	}

	/**
	 * A failure.
	 * @param reason why
	 * @param cause what failed
	 */
	public PassedOverException(String reason, Throwable cause) {
		super(reason, cause);
	}

}
