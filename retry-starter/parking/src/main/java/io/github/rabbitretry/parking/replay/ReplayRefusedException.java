/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

/**
 * Thrown if a request is refused. The message has the problem and the remedy. Nothing was
 * changed.
 */
public final class ReplayRefusedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * The kind of refusal.
	 */
	public enum Kind {

		/** A value is invalid. */
		INVALID,

		/** The replay or message does not exist. */
		UNKNOWN,

		/** The replay or message is in a state that does not allow it. */
		CONFLICT,

		/** The configuration does not allow it. */
		DISABLED

	}

	private final Kind kind;

	private ReplayRefusedException(Kind kind, String message) {
		super(message);
		this.kind = kind;
	}

	/**
	 * Creates an exception for an invalid argument.
	 * @param what the argument
	 * @param problem what is wrong with it
	 * @param remedy what to do
	 * @return the exception
	 */
	public static ReplayRefusedException invalid(String what, Object problem, String remedy) {
		return new ReplayRefusedException(Kind.INVALID, "%s %s. %s".formatted(what, problem, remedy));
	}

	/**
	 * Creates an exception for something that does not exist.
	 * @param what what does not exist
	 * @return the exception
	 */
	public static ReplayRefusedException unknown(String what) {
		return new ReplayRefusedException(Kind.UNKNOWN, "There is no " + what + ".");
	}

	/**
	 * Creates an exception for a request that the current state does not allow.
	 * @param problem the problem
	 * @param remedy what to do
	 * @return the exception
	 */
	public static ReplayRefusedException conflict(String problem, String remedy) {
		return new ReplayRefusedException(Kind.CONFLICT, problem + ". " + remedy);
	}

	/**
	 * Creates an exception for something that is disabled.
	 * @param problem the problem
	 * @param remedy what to do
	 * @return the exception
	 */
	public static ReplayRefusedException disabled(String problem, String remedy) {
		return new ReplayRefusedException(Kind.DISABLED, problem + ". " + remedy);
	}

	public Kind kind() {
		return this.kind;
	}

}
