/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.actuate;

/**
 * Ends a request that is not answered, with a status and a reason. Nothing was changed.
 */
final class EndpointException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	static final int BAD_REQUEST = 400;

	static final int FORBIDDEN = 403;

	static final int NOT_FOUND = 404;

	static final int CONFLICT = 409;

	static final int UNAVAILABLE = 503;

	private final int status;

	private EndpointException(int status, String message) {
		super(message);
		this.status = status;
	}

	static EndpointException invalid(String message) {
		return new EndpointException(BAD_REQUEST, message);
	}

	static EndpointException forbidden(String message) {
		return new EndpointException(FORBIDDEN, message);
	}

	static EndpointException unknown(String message) {
		return new EndpointException(NOT_FOUND, message);
	}

	int status() {
		return this.status;
	}

}
