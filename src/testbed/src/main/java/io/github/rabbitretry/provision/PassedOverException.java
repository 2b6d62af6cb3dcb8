/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

/**
 * A way does not lead to a broker here; the message is the reason that the user gets to
 * read if no other way does.
 */
class PassedOverException extends Exception {

	PassedOverException(String reason) {
		super(reason);
	}

	PassedOverException(String reason, Throwable cause) {
		super(reason, cause);
	}

}
