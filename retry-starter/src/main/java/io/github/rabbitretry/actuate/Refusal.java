/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.actuate;

/**
 * Ends a request that is not answered, with a status and a reason. Nothing was changed.
 */
final class Refusal extends RuntimeException {

	private static final long serialVersionUID = 1L;

	static final int BAD_REQUEST = 400;

	static final int FORBIDDEN = 403;

	static final int NOT_FOUND = 404;

	static final int CONFLICT = 409;

	static final int UNAVAILABLE = 503;

	private final int status;

	private Refusal(int status, String message) {
		super(message);
		this.status = status;
	}

	static Refusal invalid(String message) {
		return new Refusal(BAD_REQUEST, message);
	}

	static Refusal forbidden(String message) {
		return new Refusal(FORBIDDEN, message);
	}

	static Refusal unknown(String message) {
		return new Refusal(NOT_FOUND, message);
	}

	int status() {
		return this.status;
	}

}
