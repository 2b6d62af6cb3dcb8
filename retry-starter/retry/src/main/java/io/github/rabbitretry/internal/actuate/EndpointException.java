/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.actuate;

/**
 * Ends a request that is not answered, with a status and a reason. Nothing was changed.
 */
public final class EndpointException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/** The request makes no sense as it is. */
	public static final int BAD_REQUEST = 400;

	/** The caller has no permission. */
	public static final int FORBIDDEN = 403;

	/** There is no such thing. */
	public static final int NOT_FOUND = 404;

	/** Something else is being done. */
	public static final int CONFLICT = 409;

	/** The broker or the database can't be used now. */
	public static final int UNAVAILABLE = 503;

	private final int status;

	private EndpointException(int status, String message) {
		super(message);
		this.status = status;
	}

	/**
	 * Refuses a request that makes no sense.
	 * @param message why, and what to do instead
	 * @return the exception
	 */
	public static EndpointException invalid(String message) {
		return new EndpointException(BAD_REQUEST, message);
	}

	/**
	 * Refuses a request that is not allowed.
	 * @param message why, and what to do instead
	 * @return the exception
	 */
	public static EndpointException forbidden(String message) {
		return new EndpointException(FORBIDDEN, message);
	}

	/**
	 * Refuses a request that names what does not exist.
	 * @param message why, and what to do instead
	 * @return the exception
	 */
	public static EndpointException unknown(String message) {
		return new EndpointException(NOT_FOUND, message);
	}

	int status() {
		return this.status;
	}

}
