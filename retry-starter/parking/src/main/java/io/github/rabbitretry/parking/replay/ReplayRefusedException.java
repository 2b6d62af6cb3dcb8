/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

/**
 * Says that something was asked for that is not done, why, and what to do instead.
 * Nothing was changed.
 */
public final class ReplayRefusedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * What kind of refusal it is.
	 */
	public enum Kind {

		/** A value can't work. */
		INVALID,

		/** There is no such replay or message. */
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
	 * An argument that can't be.
	 * @param what the argument
	 * @param problem what is wrong with it
	 * @param remedy what to do
	 * @return the exception
	 */
	public static ReplayRefusedException invalid(String what, Object problem, String remedy) {
		return new ReplayRefusedException(Kind.INVALID, "%s %s. %s".formatted(what, problem, remedy));
	}

	/**
	 * Something that does not exist.
	 * @param what it
	 * @return the exception
	 */
	public static ReplayRefusedException unknown(String what) {
		return new ReplayRefusedException(Kind.UNKNOWN, "There is no " + what + ".");
	}

	/**
	 * Something that the present state forbids.
	 * @param problem what is in the way
	 * @param remedy what to do
	 * @return the exception
	 */
	public static ReplayRefusedException conflict(String problem, String remedy) {
		return new ReplayRefusedException(Kind.CONFLICT, problem + ". " + remedy);
	}

	/**
	 * Something that is switched off.
	 * @param problem what
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
