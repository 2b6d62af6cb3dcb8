/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

/**
 * The management API gives no answer, or none of use. The message names the address and
 * no secrets.
 */
final class ManagementUnavailableException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final int status;

	ManagementUnavailableException(String message, Throwable cause) {
		super(message, cause);
		this.status = 0;
	}

	ManagementUnavailableException(String message) {
		this(message, 0);
	}

	ManagementUnavailableException(String message, int status) {
		super(message);
		this.status = status;
	}

	/** The HTTP status, 0 if there was no answer. */
	int status() {
		return this.status;
	}

}
