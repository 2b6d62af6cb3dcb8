/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.fuzz;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where each message ended, and how often.
 */
final class FuzzAccount {

	private final int end;

	private final Map<Integer, Map<String, Integer>> ends = new TreeMap<>();

	private final Map<String, Integer> parts = new TreeMap<>();

	/**
	 * An account of messages below a number.
	 * @param end the first number that is none of them
	 */
	FuzzAccount(int end) {
		this.end = end;
	}

	void ended(int id, String how, int times) {
		if (id < this.end) {
			this.ends.computeIfAbsent(id, (key) -> new TreeMap<>()).merge(how, times, Integer::sum);
		}
	}

	void parts(Map<String, Integer> counts) {
		counts.forEach((part, count) -> this.parts.merge(part, count, Integer::sum));
	}

	void assertNothingIsLost(Set<Integer> confirmed) {
		Set<Integer> lost = new TreeSet<>(confirmed);
		lost.removeAll(this.ends.keySet());
		assertThat(lost).as("confirmed messages that are nowhere").isEmpty();
	}

	void assertEndsOnce(Set<Integer> confirmed, Set<Integer> uncertain) {
		assertNothingIsLost(confirmed);
		assertThat(this.ends.keySet()).as("messages that nobody sent, -1: without a number")
			.allMatch((id) -> confirmed.contains(id) || uncertain.contains(id));
		assertThat(doubled()).as("messages that ended more than once").isEmpty();
		assertThat(this.parts).as("fragments of batches, each as often as the first")
			.allSatisfy((part, count) -> assertThat(count)
				.isEqualTo(times(this.ends.get(Integer.valueOf(part.substring(0, part.indexOf('.')))))));
	}

	Map<Integer, Map<String, Integer>> doubled() {
		Map<Integer, Map<String, Integer>> doubled = new TreeMap<>(this.ends);
		doubled.values().removeIf((how) -> times(how) == 1);
		return doubled;
	}

	private static int times(Map<String, Integer> how) {
		return how.values().stream().mapToInt(Integer::intValue).sum();
	}

	/** What is strange about the messages that ended in each way. */
	Map<String, Map<String, Integer>> kinds(Set<Integer> confirmed, IntFunction<String> kind) {
		Map<String, Map<String, Integer>> kinds = new TreeMap<>();
		Set<Integer> doubled = doubled().keySet();
		for (int id : confirmed) {
			Map<String, Integer> how = this.ends.getOrDefault(id, Map.of("nowhere", 1));
			how.keySet()
				.forEach((end) -> kinds.computeIfAbsent(end, (key) -> new TreeMap<>())
					.merge(kind.apply(id), 1, Integer::sum));
			if (doubled.contains(id)) {
				kinds.computeIfAbsent("more than once", (key) -> new TreeMap<>())
					.merge(kind.apply(id), 1, Integer::sum);
			}
		}
		return kinds;
	}

	@Override
	public String toString() {
		Map<String, Integer> totals = new TreeMap<>();
		this.ends.values().forEach((how) -> how.forEach((end, count) -> totals.merge(end, count, Integer::sum)));
		return "%d messages ended: %s; more than once: %d".formatted(this.ends.size(), totals, doubled().size());
	}

}
