/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

/**
 * A node did not come up; the message ends with its last words.
 */
class NodeStartException extends Exception {

	NodeStartException(String message) {
		super(message);
	}

	/** Between the choice of a port and its use another process may have taken it. */
	boolean portTaken() {
		return String.valueOf(getMessage())
			.matches("(?si).*(eaddrinuse|address already in use|could not bind to|no epmd answers).*");
	}

}
