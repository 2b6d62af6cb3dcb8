/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

/**
 * Who performs an action, and why. Both are recorded in the audit and in headers of
 * replayed messages.
 *
 * @param user the user, at most {@value #LONGEST_USER} bytes
 * @param reason the reason, at most {@value #LONGEST_REASON} bytes
 */
public record OperatorAction(String user, String reason) {

	/** The longest user name, in bytes of UTF-8. */
	public static final int LONGEST_USER = 128;

	/** The longest reason, in bytes of UTF-8. */
	public static final int LONGEST_REASON = 255;

	/**
	 * Validates both.
	 * @throws ReplayRefusedException if one is blank, too long or has control characters
	 */
	public OperatorAction {
		InputValidation.check("user", user, LONGEST_USER);
		InputValidation.check("reason", reason, LONGEST_REASON);
	}

}
