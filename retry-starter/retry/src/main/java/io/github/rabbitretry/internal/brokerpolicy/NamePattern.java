/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A pattern that matches some names exactly.
 */
public final class NamePattern {

	/** RabbitMQ refuses policies with patterns of more than 1024 bytes. */
	private static final int LONGEST = 1024;

	private NamePattern() {
	}

	/**
	 * Makes a pattern, what all names begin with in front.
	 * @param names at least one name
	 * @return a regular expression for RabbitMQ
	 */
	public static String of(List<String> names) {
		return "^" + alternatives(names) + "$";
	}

	/**
	 * Makes a pattern for names of which some begin alike and others don't.
	 * @param groups lists of names that begin alike
	 * @return a regular expression for RabbitMQ, which matches none if there are no names
	 */
	public static String ofGroups(Collection<List<String>> groups) {
		List<String> patterns = groups.stream()
			.filter((names) -> !names.isEmpty())
			.map(NamePattern::alternatives)
			.distinct()
			.toList();
		return (patterns.size() == 1) ? "^" + patterns.get(0) + "$"
				: patterns.isEmpty() ? "^$" : "^(" + String.join("|", patterns) + ")$";
	}

	/**
	 * Divides names so that the pattern of each part is one that a policy may have.
	 * @param names the names
	 * @return them, in parts
	 */
	static List<List<String>> parts(List<String> names) {
		List<List<String>> parts = new ArrayList<>();
		int begin = 0;
		while (begin < names.size()) {
			int end = begin + 1;
			while (end < names.size() && fits(names.subList(begin, end + 1))) {
				end++;
			}
			parts.add(names.subList(begin, end));
			begin = end;
		}
		return parts;
	}

	private static boolean fits(List<String> names) {
		return of(names).getBytes(StandardCharsets.UTF_8).length <= LONGEST;
	}

	private static String alternatives(List<String> names) {
		if (names.size() == 1) {
			return escaped(names.get(0));
		}
		int common = common(names);
		return escaped(names.get(0).substring(0, common)) + names.stream()
			.map((name) -> escaped(name.substring(common)))
			.collect(Collectors.joining("|", "(", ")"));
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
