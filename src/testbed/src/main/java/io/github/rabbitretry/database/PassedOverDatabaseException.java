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
class PassedOverDatabaseException extends Exception {

	private static final long serialVersionUID = 1L;

	PassedOverDatabaseException(String reason) {
		super(reason);
	}

	PassedOverDatabaseException(String reason, Throwable cause) {
		super(reason, cause);
	}

}
