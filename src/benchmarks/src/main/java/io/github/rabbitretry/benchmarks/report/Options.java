/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.report;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Options of a command. All of them are numbers; one without a number is 1.
 */
public final class Options {

	private static final String QUICK = "--quick";

	private final Map<String, Integer> values;

	private Options(Map<String, Integer> values) {
		this.values = values;
	}

	/**
	 * Reads {@code --rounds 5 --peers}. With {@code --quick}, what is not given is short.
	 * @param arguments the command's
	 * @param benchmark whose options they are
	 * @return the values
	 * @throws IllegalArgumentException if there is something else
	 */
	public static Options of(List<String> arguments, Benchmark benchmark) {
		Map<String, Integer> values = new TreeMap<>(benchmark.options());
		if (arguments.contains(QUICK)) {
			values.putAll(benchmark.quick());
		}
		for (int index = 0; index < arguments.size(); index++) {
			String option = arguments.get(index);
			if (option.equals(QUICK)) {
				continue;
			}
			if (!values.containsKey(option)) {
				throw new IllegalArgumentException(
						"there is no option %s, only %s and %s".formatted(option, values.keySet(), QUICK));
			}
			boolean number = index + 1 < arguments.size() && arguments.get(index + 1).matches("[0-9]{1,8}");
			values.put(option, number ? Integer.valueOf(arguments.get(++index)) : 1);
		}
		return new Options(values);
	}

	/**
	 * The number of an option.
	 * @param option such as {@code --rounds}
	 * @return its value
	 */
	public int get(String option) {
		return this.values.get(option);
	}

	/**
	 * Whether an option is on.
	 * @param option such as {@code --peers}
	 * @return {@code false} if its value is 0
	 */
	public boolean has(String option) {
		return get(option) > 0;
	}

	@Override
	public String toString() {
		StringBuilder text = new StringBuilder();
		this.values.forEach((option, value) -> text.append(option).append(' ').append(value).append(' '));
		return text.toString().trim();
	}

}
