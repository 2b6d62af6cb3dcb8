/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.permission;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.management.NamePattern;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.FormerQueue;
import io.github.rabbitretry.internal.topology.TypeTopology;

/**
 * Patterns of permissions. RabbitMQ 4.3 refuses those of more than 1024 bytes, 4.0 takes
 * any.
 */
public final class PermissionPattern {

	/** Matches no name. */
	public static final String NOTHING = "^$";

	/** The most bytes of a pattern. */
	public static final int LONGEST = 1024;

	private PermissionPattern() {
	}

	/**
	 * A pattern for names, the first of these that is short enough: for each name; for
	 * work queues whose other names end alike, and these ends; for all work queues, and
	 * the ends of any. The last one matches names that are not asked for, but all of them
	 * begin with a work queue's name and end with what another's name ends with.
	 * @param names the names
	 * @param policies whose they are
	 * @return a regular expression, which may be too long nevertheless
	 */
	public static String of(Collection<String> names, Collection<TypeTopology> policies) {
		return names.isEmpty() ? NOTHING : after("", names, policies);
	}

	/**
	 * A pattern for names, after others.
	 * @param before what the result begins with
	 * @param names the names, at least one
	 * @param policies whose they are
	 * @return as above, short enough with what it begins with
	 */
	public static String after(String before, Collection<String> names, Collection<TypeTopology> policies) {
		String exact = before + NamePattern.of(List.copyOf(new TreeSet<>(names)));
		if (fits(exact)) {
			return exact;
		}
		Map<String, Set<String>> ends = ends(names, policies);
		String alike = before + factored(ends);
		if (fits(alike)) {
			return alike;
		}
		Set<String> all = ends.entrySet()
			.stream()
			.filter((entry) -> isWorkQueue(entry.getKey(), policies))
			.flatMap((entry) -> entry.getValue().stream())
			.collect(Collectors.toCollection(TreeSet::new));
		ends.replaceAll((begin, own) -> isWorkQueue(begin, policies) ? all : own);
		return before + factored(ends);
	}

	/**
	 * Whether the broker takes a pattern.
	 * @param pattern the pattern
	 * @return {@code false} if it is too long
	 */
	public static boolean fits(String pattern) {
		return pattern.getBytes(StandardCharsets.UTF_8).length <= LONGEST;
	}

	private static boolean isWorkQueue(String name, Collection<TypeTopology> policies) {
		return policies.stream().flatMap(PermissionPattern::queues).anyMatch(name::equals);
	}

	/** What names end with, by what they begin with: a work queue, the ladder, or all. */
	private static Map<String, Set<String>> ends(Collection<String> names, Collection<TypeTopology> policies) {
		Map<String, Set<String>> ends = new TreeMap<>();
		for (String name : names) {
			String begin = Stream
				.concat(Stream.of(DelayLadder.NAME), policies.stream().flatMap(PermissionPattern::queues))
				.filter((one) -> name.equals(one) || name.startsWith(one + "."))
				.max(Comparator.comparingInt(String::length))
				.orElse(name);
			ends.computeIfAbsent(begin, (missing) -> new TreeSet<>()).add(name.substring(begin.length()));
		}
		return ends;
	}

	private static Stream<String> queues(TypeTopology policy) {
		return Stream.concat(Stream.of(policy.queue()),
				policy.topology().formerQueues().stream().map(FormerQueue::queue));
	}

	private static String factored(Map<String, Set<String>> ends) {
		Map<Set<String>, List<String>> alike = new LinkedHashMap<>();
		ends.forEach((begin, own) -> alike.computeIfAbsent(own, (missing) -> new ArrayList<>()).add(begin));
		return alike.entrySet()
			.stream()
			.map((group) -> NamePattern.alternatives(group.getValue())
					+ NamePattern.alternatives(List.copyOf(group.getKey())))
			.collect(Collectors.joining("|", "^(", ")$"));
	}

}
