/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.management;

/**
 * The management API gives no answer, or none of use. The message names the address and
 * no secrets.
 */
public final class ManagementUnavailableException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final int status;

	/**
	 * Creates it.
	 * @param message which question, and why there is no answer
	 * @param cause the cause
	 */
	public ManagementUnavailableException(String message, Throwable cause) {
		super(message, cause);
		this.status = 0;
	}

	/**
	 * Creates it.
	 * @param message which question, and why there is no answer
	 */
	public ManagementUnavailableException(String message) {
		this(message, 0);
	}

	/**
	 * Creates the exception for a response without a usable answer.
	 * @param message which question, and why there is no answer
	 * @param status the HTTP status of the answer
	 */
	public ManagementUnavailableException(String message, int status) {
		super(message);
		this.status = status;
	}

	/**
	 * Tells the HTTP status.
	 * @return it, 0 if there was no answer
	 */
	public int status() {
		return this.status;
	}

}
