/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

/**
 * A configuration that can't work. It fails startup; its parts are what the reader needs.
 */
public final class InvalidConfigurationException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String property;

	private final String value;

	private final String relation;

	private final String remedy;

	/**
	 * Names everything the reader needs.
	 * @param property the property,
	 * {@code rabbit-retry.message-policies.CreateOrderCommand.jitter}. A topology does
	 * not know where its parts come from and names its own, {@code delivery-limit}
	 * @param value the value given
	 * @param relation the relation that it breaks, "must be from 0 to 1"
	 * @param remedy what to do, a sentence
	 */
	public InvalidConfigurationException(String property, Object value, String relation, String remedy) {
		super("%s: '%s' %s. %s".formatted(property, value, relation, remedy));
		this.property = property;
		this.value = String.valueOf(value);
		this.relation = relation;
		this.remedy = remedy;
	}

	public String property() {
		return this.property;
	}

	public String value() {
		return this.value;
	}

	public String relation() {
		return this.relation;
	}

	public String remedy() {
		return this.remedy;
	}

}
