/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import java.util.Map;

/**
 * A durable exchange to be declared.
 *
 * @param name the exchange's name
 * @param type its type, such as {@code direct}
 * @param arguments the arguments of its declaration
 */
public record ExchangeDefinition(String name, String type, Map<String, Object> arguments) {

	public ExchangeDefinition {
		arguments = Map.copyOf(arguments);
	}

	/**
	 * Creates the model of an exchange without arguments.
	 * @param name the exchange's name
	 * @param type its type, such as {@code direct}
	 */
	public ExchangeDefinition(String name, String type) {
		this(name, type, Map.of());
	}

}
