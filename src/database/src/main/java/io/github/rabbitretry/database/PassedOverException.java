/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.database;

/**
 * A way does not lead to a server here; the message is the reason that the user gets to
 * read if no other way does.
 */
class PassedOverException extends Exception {

	private static final long serialVersionUID = 1L;

	PassedOverException(String reason) {
		super(reason);
	}

	PassedOverException(String reason, Throwable cause) {
		super(reason, cause);
	}

}
