/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

/**
 * Why a step can't be done now. What was done before stays, and nothing is lost.
 */
public final class MigrationException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates it.
	 * @param message what is in the way, and what helps
	 */
	public MigrationException(String message) {
		super(message);
	}

	MigrationException(String message, Throwable cause) {
		super(message, cause);
	}

}
