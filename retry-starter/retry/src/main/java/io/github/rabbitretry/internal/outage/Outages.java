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
 * The outages of a service that this process has seen: the current one, and the latest
 * before it. Changed under the lock of the circuit, and read without.
 */
final class Outages {

	private static final int MOST = 100;

	private final String dependency;

	private final List<String> messageTypes;

	private final List<Outage> ended = new CopyOnWriteArrayList<>();

	private volatile @Nullable Outage current;

	private volatile long count;

	private volatile long probes;

	Outages(String dependency, List<String> messageTypes) {
		this.dependency = dependency;
		this.messageTypes = messageTypes;
	}

	/** The current one, or {@code null}. */
	@Nullable Outage current() {
		return this.current;
	}

	/** How many there were, the current one included. */
	long count() {
		return this.count;
	}

	/** All probes there were. */
	long probes() {
		return this.probes;
	}

	Outage begin(String reason, Instant now) {
		Outage began = new Outage(this.dependency, this.messageTypes, reason, now, null, 0);
		this.current = began;
		this.count++;
		return began;
	}

	/** Counts a probe of the current one. */
	void probed(Outage outage) {
		this.current = of(outage, null, outage.probes() + 1);
		this.probes++;
	}

	Outage end(Outage outage, Instant now) {
		Outage over = of(outage, now, outage.probes());
		if (this.ended.size() == MOST) {
			this.ended.remove(0);
		}
		this.ended.add(over);
		this.current = null;
		return over;
	}

	private static Outage of(Outage outage, @Nullable Instant ended, int probes) {
		return new Outage(outage.dependency(), outage.messageTypes(), outage.reason(), outage.began(), ended, probes);
	}

	/** How much of a time span they take. */
	Duration within(Instant from, Instant to) {
		Outage now = this.current;
		Duration sum = (now != null) ? overlap(now, from, to) : Duration.ZERO;
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
