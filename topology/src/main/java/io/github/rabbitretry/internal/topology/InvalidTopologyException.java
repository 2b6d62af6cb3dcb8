/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

/**
 * A topology that can't work, found when it is built. Carries its parts so that a caller
 * who knows where the value came from can name that place.
 */
public final class InvalidTopologyException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	private final String setting;

	private final String value;

	private final String relation;

	private final String remedy;

	InvalidTopologyException(String setting, Object value, String relation, String remedy) {
		super("%s '%s' %s. %s".formatted(setting, value, relation, remedy));
		this.setting = setting;
		this.value = String.valueOf(value);
		this.relation = relation;
		this.remedy = remedy;
	}

	/**
	 * The setting at fault, as the builder names it, {@code delivery-limit}.
	 * @return the name in lower case with hyphens
	 */
	public String setting() {
		return this.setting;
	}

	/**
	 * The value that was given.
	 * @return its text
	 */
	public String value() {
		return this.value;
	}

	/**
	 * The relation that the value breaks, "must be positive".
	 * @return the second half of a sentence
	 */
	public String relation() {
		return this.relation;
	}

	/**
	 * What to do about it.
	 * @return a sentence
	 */
	public String remedy() {
		return this.remedy;
	}

}
