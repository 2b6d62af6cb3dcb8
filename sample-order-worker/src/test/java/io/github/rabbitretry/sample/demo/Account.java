/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.demo;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.rabbitretry.sample.outside.ParkedOrder;

/**
 * What became of all orders, next to what was sent. Each order that was sent must have
 * met its fate, and no other one; that it met it twice is reported, but is no loss.
 *
 * @param rows one for each kind
 * @param repeatedEvents events beyond one for each handled order
 * @param repeatedParkings parked messages beyond one for each parked order
 * @param problems what is not as it has to be, in words
 */
record Account(List<Row> rows, long repeatedEvents, long repeatedParkings, List<String> problems) {

	private static final String PARKED = "PARKED";

	private static final String REPLAYED = "REPLAYED";

	private static final String DISCARDED = "DISCARDED";

	/**
	 * Draws up the account.
	 * @param sent kinds by order id
	 * @param fates what had to become of which kind by now
	 * @param handled for each handled order the retries that each of its events reports
	 * @param parked what is in the ledger, other runs' orders included
	 * @param left messages in queues that have to be empty, by queue
	 * @return the account
	 */
	static Account of(Map<String, Kind> sent, Function<Kind, Fate> fates, Map<String, List<Integer>> handled,
			List<ParkedOrder> parked, Map<String, Long> left) {
		Map<String, List<ParkedOrder>> parkedById = parked.stream()
			.filter((order) -> sent.containsKey(order.orderId()) && !order.state().equals(REPLAYED))
			.collect(Collectors.groupingBy(ParkedOrder::orderId));
		Map<Kind, Tally> tallies = new EnumMap<>(Kind.class);
		List<String> problems = new ArrayList<>();
		long repeatedEvents = 0;
		long repeatedParkings = 0;
		for (Map.Entry<String, Kind> order : sent.entrySet()) {
			List<Integer> events = handled.getOrDefault(order.getKey(), List.of());
			List<ParkedOrder> parkings = parkedById.getOrDefault(order.getKey(), List.of());
			tallies.computeIfAbsent(order.getValue(), (kind) -> new Tally(kind, fates.apply(kind)))
				.add(order.getKey(), events, parkings, problems);
			repeatedEvents += Math.max(0, events.size() - 1);
			repeatedParkings += Math.max(0, parkings.size() - 1);
		}
		left.forEach((queue, messages) -> {
			if (messages > 0) {
				problems.add("%d messages are left in %s".formatted(messages, queue));
			}
		});
		List<Row> rows = tallies.values().stream().map(Tally::row).toList();
		return new Account(rows, repeatedEvents, repeatedParkings, List.copyOf(problems));
	}

	boolean exact() {
		return this.problems.isEmpty();
	}

	Row total() {
		return this.rows.stream().reduce(new Row("all", "", 0, 0, 0, 0, 0, 0), Row::plus);
	}

	/**
	 * What became of the orders of one kind.
	 *
	 * @param label the kind's name
	 * @param expected what has to become of them
	 * @param sent how many were sent
	 * @param handled how many were handled
	 * @param parked how many are parked
	 * @param discarded how many were discarded
	 * @param wrong how many are lost, or met another fate
	 * @param retries delayed attempts of all of them
	 */
	record Row(String label, String expected, long sent, long handled, long parked, long discarded, long wrong,
			long retries) {

		private Row plus(Row other) {
			return new Row(this.label, this.expected, this.sent + other.sent, this.handled + other.handled,
					this.parked + other.parked, this.discarded + other.discarded, this.wrong + other.wrong,
					this.retries + other.retries);
		}

	}

	/** Counts while going through the orders of a kind. */
	private static final class Tally {

		private final Kind kind;

		private final Fate fate;

		private long sent;

		private long handled;

		private long parked;

		private long discarded;

		private long wrong;

		private long retries;

		Tally(Kind kind, Fate fate) {
			this.kind = kind;
			this.fate = fate;
		}

		void add(String orderId, List<Integer> events, List<ParkedOrder> parkings, List<String> problems) {
			this.sent++;
			this.handled += events.isEmpty() ? 0 : 1;
			this.parked += parkings.stream().anyMatch((order) -> order.state().equals(PARKED)) ? 1 : 0;
			this.discarded += parkings.stream().anyMatch((order) -> order.state().equals(DISCARDED)) ? 1 : 0;
			this.retries += events.stream().mapToInt(Integer::intValue).max().orElse(0);
			this.retries += parkings.stream().mapToInt(ParkedOrder::retries).max().orElse(0);
			String met = met(events, parkings);
			String expected = expected(this.fate);
			if (!met.equals(expected)) {
				this.wrong++;
				problems.add("order %s (%s) is %s instead of %s".formatted(orderId, this.kind.label(), met, expected));
			}
			else if (fewestRetries(events, parkings) < this.fate.retries()) {
				this.wrong++;
				problems.add("order %s (%s) is %s after %d retries instead of %d".formatted(orderId, this.kind.label(),
						met, fewestRetries(events, parkings), this.fate.retries()));
			}
		}

		private static String met(List<Integer> events, List<ParkedOrder> parkings) {
			List<String> fates = new ArrayList<>();
			if (!events.isEmpty()) {
				fates.add("handled");
			}
			parkings.stream()
				.map((order) -> (order.state().equals(PARKED) ? "parked " : "discarded ") + order.reason())
				.distinct()
				.sorted()
				.forEach(fates::add);
			return fates.isEmpty() ? "lost" : String.join(" and ", fates);
		}

		private static String expected(Fate fate) {
			return (fate instanceof Fate.Handled) ? "handled" : fate.toString();
		}

		private static int fewestRetries(List<Integer> events, List<ParkedOrder> parkings) {
			int least = events.stream().mapToInt(Integer::intValue).min().orElse(Integer.MAX_VALUE);
			return Math.min(least, parkings.stream().mapToInt(ParkedOrder::retries).min().orElse(Integer.MAX_VALUE));
		}

		Row row() {
			return new Row(this.kind.label(), this.fate.toString(), this.sent, this.handled, this.parked,
					this.discarded, this.wrong, this.retries);
		}

	}

}
