/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.output;

/**
 * Times and durations, in fewer characters than JSON has them.
 */
final class Times {

	private Times() {
	}

	/**
	 * A time to the second, in UTC as everywhere.
	 * @param text an instant
	 * @return the instant; other text unchanged
	 */
	static String brief(String text) {
		return text.replaceFirst("(T\\d\\d:\\d\\d:\\d\\d)\\.\\d+Z$", "$1Z");
	}

	/**
	 * A duration.
	 * @param text as {@code PT1H30M}
	 * @return as {@code 1 h 30 min}; what is no duration, as it is
	 */
	static String duration(String text) {
		return text.matches("PT[0-9.HMS]+")
				? text.substring(2).replace("H", " h ").replace("M", " min ").replace("S", " s").strip() : text;
	}

}
