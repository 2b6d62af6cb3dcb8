/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import io.github.rabbitretry.simulation.Simulation.Minute;
import io.github.rabbitretry.simulation.Simulation.Peak;

/**
 * Counts what happens, each minute and in all.
 */
final class Tally {

	private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

	private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

	final SortedMap<String, Long> parked = new TreeMap<>();

	final SortedMap<String, Long> discarded = new TreeMap<>();

	final List<Minute> minutes = new ArrayList<>();

	long messages;

	long succeeded;

	long calls;

	long failed;

	long retries;

	long throttled;

	long postponed;

	long ready;

	long waiting;

	long lastRetry = -1;

	long lastParked = -1;

	Peak callsPeak = new Peak(0, Duration.ZERO);

	Peak waitingPeak = new Peak(0, Duration.ZERO);

	Peak readyPeak = new Peak(0, Duration.ZERO);

	private long now;

	private long allParked;

	private long second = -1;

	private long callsOfSecond;

	private long callsPeakOfMinute;

	/** What had been counted when this minute began. */
	private long messagesBefore;

	private long callsBefore;

	private long failedBefore;

	private long retriesBefore;

	/** Time passes: minutes that are over are closed. */
	void at(long nanos) {
		while (nanos / MINUTE > this.minutes.size()) {
			closeMinute();
		}
		this.now = nanos;
	}

	void closeMinute() {
		this.minutes.add(new Minute(this.minutes.size(), this.messages - this.messagesBefore,
				this.calls - this.callsBefore, this.failed - this.failedBefore, this.retries - this.retriesBefore,
				this.callsPeakOfMinute, this.ready, this.waiting, this.allParked));
		this.messagesBefore = this.messages;
		this.callsBefore = this.calls;
		this.failedBefore = this.failed;
		this.retriesBefore = this.retries;
		this.callsPeakOfMinute = 0;
	}

	void called(boolean fails) {
		this.calls++;
		this.failed += fails ? 1 : 0;
		if (this.now / SECOND != this.second) {
			this.second = this.now / SECOND;
			this.callsOfSecond = 0;
		}
		this.callsOfSecond++;
		this.callsPeakOfMinute = Math.max(this.callsPeakOfMinute, this.callsOfSecond);
		if (this.callsOfSecond > this.callsPeak.value()) {
			this.callsPeak = new Peak(this.callsOfSecond, Duration.ofSeconds(this.second));
		}
	}

	void retried() {
		this.retries++;
		this.lastRetry = this.now;
	}

	void parked(String reason) {
		this.parked.merge(reason, 1L, Long::sum);
		this.allParked++;
		this.lastParked = this.now;
	}

	void discarded(String reason) {
		this.discarded.merge(reason, 1L, Long::sum);
	}

	/** One message more or less waits for its next attempt. */
	void waits(int more) {
		this.waiting += more;
		if (this.waiting > this.waitingPeak.value()) {
			this.waitingPeak = new Peak(this.waiting, Duration.ofNanos(this.now));
		}
	}

	/** So many are in the work queue and no consumer has time for them. */
	void ready(int messages) {
		this.ready = messages;
		if (messages > this.readyPeak.value()) {
			this.readyPeak = new Peak(messages, Duration.ofNanos(this.now));
		}
	}

}
