/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.demo;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * How many orders of each kind make up a run.
 *
 * @param counts at least one of each kind
 */
record Mix(Map<Kind, Integer> counts) {

	static final int FEWEST = 20;

	static Mix of(int orders) {
		Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
		int others = 0;
		for (Kind kind : Kind.values()) {
			int count = (kind == Kind.KILLER) ? 1 : Math.max(1, orders * kind.permille() / 1000);
			counts.put(kind, count);
			others += (kind == Kind.HEALTHY_ORDER) ? 0 : count;
		}
		counts.put(Kind.HEALTHY_ORDER, orders - others);
		return new Mix(counts);
	}

	int total() {
		return this.counts.values().stream().mapToInt(Integer::intValue).sum();
	}

	/**
	 * The orders in the order of their sending: well mixed, the same for the same number,
	 * and the killer in the first half, so that many are on their way when it strikes.
	 * @param run what the order ids begin with, so that runs on one broker differ
	 * @return kinds by order id
	 */
	Map<String, Kind> orders(String run) {
		List<Kind> kinds = new ArrayList<>();
		this.counts.forEach((kind, count) -> {
			if (kind != Kind.KILLER) {
				kinds.addAll(Collections.nCopies(count, kind));
			}
		});
		Collections.shuffle(kinds, new Random(kinds.size()));
		kinds.add(kinds.size() / 3, Kind.KILLER);
		Map<String, Kind> orders = new LinkedHashMap<>();
		for (Kind kind : kinds) {
			orders.put("%s-%06d".formatted(run, orders.size() + 1), kind);
		}
		return orders;
	}

}
