/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.brokerpolicy;

/**
 * The management API gives no answer, or none of use. The message names the address and
 * no secrets.
 */
final class ManagementUnavailableException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	ManagementUnavailableException(String message, Throwable cause) {
		super(message, cause);
	}

	ManagementUnavailableException(String message) {
		super(message);
	}

}
