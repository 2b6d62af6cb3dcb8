/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks;

/**
 * How long to measure.
 *
 * @param rounds how often each side is measured
 * @param seconds how long a measurement is to take, about
 */
record Options(int rounds, int seconds) {

	private static final Options DEFAULT = new Options(5, 3);

	Options {
		if (rounds < 1 || seconds < 1) {
			throw new IllegalArgumentException("--rounds and --seconds must be 1 or more");
		}
	}

	/**
	 * Reads {@code --rounds 5 --seconds 3}.
	 * @param arguments the command's
	 * @return the options
	 * @throws IllegalArgumentException if there is something else
	 */
	static Options of(String[] arguments) {
		Options options = DEFAULT;
		for (int index = 0; index < arguments.length; index += 2) {
			if (index + 1 == arguments.length || !arguments[index + 1].matches("[0-9]{1,4}")) {
				throw new IllegalArgumentException("a number must follow " + arguments[index]);
			}
			int number = Integer.parseInt(arguments[index + 1]);
			options = switch (arguments[index]) {
				case "--rounds" -> new Options(number, options.seconds);
				case "--seconds" -> new Options(options.rounds, number);
				default -> throw new IllegalArgumentException(
						"there is no option %s, only --rounds and --seconds".formatted(arguments[index]));
			};
		}
		return options;
	}

}
