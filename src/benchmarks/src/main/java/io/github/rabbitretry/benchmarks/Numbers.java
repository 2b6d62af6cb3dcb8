/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks;

import java.util.Map;
import java.util.TreeMap;

/**
 * Options that are numbers.
 */
final class Numbers {

	private final Map<String, Integer> values;

	private Numbers(Map<String, Integer> values) {
		this.values = values;
	}

	/**
	 * Reads {@code --rounds 5}.
	 * @param arguments the command's
	 * @param defaults all options, with their values where the command has none
	 * @return the values
	 * @throws IllegalArgumentException if there is something else
	 */
	static Numbers of(String[] arguments, Map<String, Integer> defaults) {
		Map<String, Integer> values = new TreeMap<>(defaults);
		for (int index = 0; index < arguments.length; index += 2) {
			String option = arguments[index];
			if (!values.containsKey(option)) {
				throw new IllegalArgumentException("there is no option %s, only %s".formatted(option, values.keySet()));
			}
			if (index + 1 == arguments.length || !arguments[index + 1].matches("[1-9][0-9]{0,5}")) {
				throw new IllegalArgumentException("a number from 1 to 999999 must follow " + option);
			}
			values.put(option, Integer.valueOf(arguments[index + 1]));
		}
		return new Numbers(values);
	}

	int get(String option) {
		return this.values.get(option);
	}

}
