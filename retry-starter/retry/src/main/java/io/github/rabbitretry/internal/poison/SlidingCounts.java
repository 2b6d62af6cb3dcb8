/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.poison;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.event.PoisonSignal;
import org.jspecify.annotations.Nullable;

/**
 * Counts deliveries by their indicators over a sliding window, in bounded memory: where
 * there are too many indicators, the counts of all are lowered alike (Misra and Gries),
 * so that one that stands out stays, counted at most two hundredths of all deliveries too
 * low. Beyond a number of deliveries only each tenth is counted. Not thread-safe.
 */
final class SlidingCounts {

	static final int MOST_INDICATORS = 50;

	static final int ALL_UP_TO = 10_000;

	private static final int PARTS = 6;

	private final @Nullable Part[] parts = new Part[PARTS];

	private final long width;

	/**
	 * Creates the counts.
	 * @param window the window's length in milliseconds
	 */
	SlidingCounts(long window) {
		this.width = Math.max(1, window / PARTS);
	}

	/**
	 * Whether the next delivery is to be counted.
	 * @param now the current time in milliseconds
	 * @return {@code false} for nine of ten once there were many, and for 99 of 100 once
	 * there were ten times as many
	 */
	boolean wants(long now) {
		Part part = part(now);
		part.seen++;
		return part.seen <= ALL_UP_TO || part.seen % ((part.seen <= 10 * ALL_UP_TO) ? 10 : 100) == 0;
	}

	void add(List<PoisonIndicator> indicators, long now) {
		Part part = part(now);
		part.total++;
		indicators.forEach((indicator) -> {
			Map<String, Integer> counts = part.counts.computeIfAbsent(indicator.kind(), (kind) -> new HashMap<>());
			if (counts.size() < MOST_INDICATORS || counts.containsKey(indicator.value())) {
				counts.merge(indicator.value(), 1, Integer::sum);
			}
			else {
				counts.replaceAll((value, count) -> count - 1);
				counts.values().removeIf((count) -> count == 0);
			}
		});
	}

	long total(long now) {
		return live(now).stream().mapToLong((part) -> part.total).sum();
	}

	long count(PoisonIndicator indicator, long now) {
		return live(now).stream()
			.mapToLong(
					(part) -> part.counts.getOrDefault(indicator.kind(), Map.of()).getOrDefault(indicator.value(), 0))
			.sum();
	}

	void clear() {
		Arrays.fill(this.parts, null);
	}

	private List<Part> live(long now) {
		long oldest = now / this.width - PARTS;
		return Arrays.stream(this.parts).filter((part) -> part != null && part.number > oldest).toList();
	}

	private Part part(long now) {
		long number = now / this.width;
		int index = (int) (number % PARTS);
		Part part = this.parts[index];
		if (part == null || part.number != number) {
			part = new Part(number);
			this.parts[index] = part;
		}
		return part;
	}

	private static final class Part {

		private final long number;

		private final Map<PoisonSignal.Kind, Map<String, Integer>> counts = new HashMap<>();

		private long seen;

		private long total;

		Part(long number) {
			this.number = number;
		}

	}

}
