/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.chaos;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What became of the messages of a run.
 *
 * @param sent the numbers of all messages
 * @param handled how often each message was handled
 * @param parked why each message was parked, a reason for each time
 */
record ChaosAccount(Set<Integer> sent, Map<Integer, Integer> handled, Map<Integer, List<String>> parked) {

	/** Every message ended, none in a way that it may not end in. */
	void assertNothingIsLost() {
		assertThat(missing()).as("messages neither handled nor parked").isEmpty();
		assertThatEachEndedAsItMay();
	}

	/** No message ended in a way that it may not end in. */
	void assertThatEachEndedAsItMay() {
		Set<Integer> neverSent = new TreeSet<>(this.handled.keySet());
		neverSent.addAll(this.parked.keySet());
		neverSent.removeAll(this.sent);
		assertThat(neverSent).as("messages never sent").isEmpty();
		assertThat(this.handled.keySet()).as("handled messages").allMatch((number) -> MessageFate.of(number).handled());
		this.parked.forEach((number, reasons) -> assertThat(reasons).as("why message %d was parked", number)
			.allMatch(MessageFate.of(number)::parked));
	}

	/** The messages that did not end. */
	Set<Integer> missing() {
		Set<Integer> missing = new TreeSet<>(this.sent);
		missing.removeAll(this.handled.keySet());
		missing.removeAll(this.parked.keySet());
		return missing;
	}

	/** How many messages were found parked, each as often as it was. */
	int foundParked() {
		return this.parked.values().stream().mapToInt(List::size).sum();
	}

	/** How many more ends there were than messages. */
	int duplicates() {
		return total(this.handled.values()) + foundParked() + missing().size() - this.sent.size();
	}

	private static int total(Collection<Integer> counts) {
		return counts.stream().mapToInt(Integer::intValue).sum();
	}

	private long handledAgain() {
		return this.handled.values().stream().filter((count) -> count > 1).count();
	}

	private long parkedAgain() {
		return this.parked.values().stream().filter((reasons) -> reasons.size() > 1).count();
	}

	private long handledAndParked() {
		return this.handled.keySet().stream().filter(this.parked::containsKey).count();
	}

	@Override
	public String toString() {
		Map<String, Long> reasons = this.parked.values()
			.stream()
			.flatMap(List::stream)
			.collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
		return ("%d sent, %d handled, %d parked %s; %d duplicates: %d messages handled more than once, "
				+ "%d parked more than once, %d handled and parked")
			.formatted(this.sent.size(), this.handled.size(), this.parked.size(), reasons, duplicates(), handledAgain(),
					parkedAgain(), handledAndParked());
	}

}
