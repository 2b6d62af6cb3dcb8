/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.outage;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.rabbitretry.event.DeliveryListener.Outage;
import org.jspecify.annotations.Nullable;

/**
 * When the latest outages were.
 */
final class OutageTimes {

	private static final int MOST = 100;

	private final List<Outage> ended = new CopyOnWriteArrayList<>();

	void add(Outage outage) {
		if (this.ended.size() == MOST) {
			this.ended.remove(0);
		}
		this.ended.add(outage);
	}

	/** How much of a time span they and the current one take. */
	Duration within(Instant from, Instant to, @Nullable Outage current) {
		Duration sum = (current != null) ? overlap(current, from, to) : Duration.ZERO;
		for (Outage outage : this.ended) {
			sum = sum.plus(overlap(outage, from, to));
		}
		return sum;
	}

	private static Duration overlap(Outage outage, Instant from, Instant to) {
		Instant begin = outage.began().isAfter(from) ? outage.began() : from;
		Instant end = (outage.ended() != null && outage.ended().isBefore(to)) ? outage.ended() : to;
		return end.isAfter(begin) ? Duration.between(begin, end) : Duration.ZERO;
	}

}
