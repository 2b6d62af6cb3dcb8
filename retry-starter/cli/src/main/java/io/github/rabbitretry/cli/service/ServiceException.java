/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.service;

/**
 * Why there is no answer.
 */
public final class ServiceException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final ExitCode exitCode;

	/**
	 * Creates the exception.
	 * @param exitCode how the command ends
	 * @param message what is wrong and what to do, in a sentence or two
	 */
	public ServiceException(ExitCode exitCode, String message) {
		super(message);
		this.exitCode = exitCode;
	}

	/**
	 * Refuses what was typed.
	 * @param message what is wrong and what to do, in a sentence or two
	 * @return an exception with {@link ExitCode#USAGE}
	 */
	public static ServiceException usage(String message) {
		return new ServiceException(ExitCode.USAGE, message);
	}

	/**
	 * How the command ends.
	 * @return never {@link ExitCode#DONE}
	 */
	public ExitCode exitCode() {
		return this.exitCode;
	}

}
