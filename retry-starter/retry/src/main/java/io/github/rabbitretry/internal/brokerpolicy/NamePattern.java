/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A pattern that matches some names exactly.
 */
final class NamePattern {

	private NamePattern() {
	}

	/**
	 * Makes a pattern, what all names begin with in front.
	 * @param names at least one name
	 * @return a regular expression for RabbitMQ
	 */
	static String of(List<String> names) {
		if (names.size() == 1) {
			return "^" + escaped(names.get(0)) + "$";
		}
		int common = common(names);
		return "^" + escaped(names.get(0).substring(0, common))
				+ names.stream()
					.map((name) -> escaped(name.substring(common)))
					.collect(Collectors.joining("|", "(", ")$"));
	}

	private static int common(List<String> names) {
		String first = names.get(0);
		int common = first.length();
		for (String name : names) {
			common = Math.min(common, name.length());
			for (int index = 0; index < common; index++) {
				if (name.charAt(index) != first.charAt(index)) {
					common = index;
				}
			}
		}
		return (common > 0 && Character.isHighSurrogate(first.charAt(common - 1))) ? common - 1 : common;
	}

	private static String escaped(String text) {
		return text.replaceAll("[^\\p{L}\\p{N}_\\-:/ ]", "\\\\$0");
	}

}
