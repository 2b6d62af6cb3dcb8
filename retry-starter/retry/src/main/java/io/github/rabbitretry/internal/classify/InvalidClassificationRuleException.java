/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

/**
 * A classification rule can't work. The application must not start with it, since its
 * author counts on it.
 */
public final class InvalidClassificationRuleException extends IllegalArgumentException {

	private static final String PREFIX = "rabbit-retry.classification.rules";

	private final int index;

	private final String property;

	private final String value;

	private final String relation;

	private final String remedy;

	InvalidClassificationRuleException(int index, String key, String value, String relation, String remedy) {
		super("%s[%d].%s = '%s' %s. %s".formatted(PREFIX, index, key, value, relation, remedy));
		this.index = index;
		this.property = "%s[%d].%s".formatted(PREFIX, index, key);
		this.value = value;
		this.relation = relation;
		this.remedy = remedy;
	}

	/**
	 * The rule's place in the configured list.
	 * @return the index, from 0
	 */
	public int index() {
		return this.index;
	}

	/**
	 * The property that is wrong.
	 * @return its full name, {@code rabbit-retry.classification.rules[2].exception}
	 */
	public String property() {
		return this.property;
	}

	/**
	 * The property's value.
	 * @return the value as configured, empty if there is none
	 */
	public String value() {
		return this.value;
	}

	/**
	 * What is wrong with the value.
	 * @return the end of a sentence that starts with property and value, without full
	 * stop
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
