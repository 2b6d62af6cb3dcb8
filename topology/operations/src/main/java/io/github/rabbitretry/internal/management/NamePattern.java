/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.management;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
	 * Divides names so that the pattern of each part is one that a policy may have.
	 * @param names the names
	 * @return them, in parts
	 */
	public static List<List<String>> parts(List<String> names) {
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

	/**
	 * A part of a pattern, without its ends. A common beginning or end of names is in it
	 * once, where that is shorter.
	 * @param names at least one name
	 * @return one alternative, or several in brackets
	 */
	public static String alternatives(List<String> names) {
		if (names.size() == 1) {
			return escaped(names.get(0));
		}
		int begin = common(names);
		List<String> rests = names.stream().map((name) -> name.substring(begin)).toList();
		int end = common(rests.stream().map(NamePattern::reversed).toList());
		Map<String, List<String>> alike = new LinkedHashMap<>();
		rests.stream()
			.map((rest) -> rest.substring(0, rest.length() - end))
			.forEach((rest) -> alike.computeIfAbsent(first(rest), (missing) -> new ArrayList<>()).add(rest));
		return escaped(names.get(0).substring(0, begin))
				+ alike.values().stream().map(NamePattern::shorter).collect(Collectors.joining("|", "(", ")"))
				+ escaped(rests.get(0).substring(rests.get(0).length() - end));
	}

	private static String shorter(List<String> names) {
		String flat = names.stream().map(NamePattern::escaped).collect(Collectors.joining("|"));
		String factored = first(names.get(0)).isEmpty() ? flat : alternatives(names);
		return (factored.length() < flat.length()) ? factored : flat;
	}

	/** A character, which may take two. */
	private static String first(String text) {
		return text.isEmpty() ? "" : text.substring(0, text.offsetByCodePoints(0, 1));
	}

	private static String reversed(String text) {
		return new StringBuilder(text).reverse().toString();
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
