/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.connection;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The time that a stop may take, the same for all who ask while the application stops:
 * first for the confirms of copies on their way, then for listeners that are still
 * running, then for the ledger and its replays, the rest to close connections. Where
 * single containers are stopped, each has that time for itself.
 */
public final class StopDeadline {

	private final Duration timeout;

	private volatile @Nullable Long begun;

	/**
	 * Creates the deadline.
	 * @param timeout how long a stop may take in all
	 */
	public StopDeadline(Duration timeout) {
		this.timeout = timeout;
	}

	/** Begins the stop of the application: all that asks from now on shares its time. */
	public void begin() {
		this.begun = System.nanoTime();
	}

	/**
	 * Until when copies on their way are waited for. Never now: one that was just
	 * published may need a moment, however long others were waited for.
	 * @return an instant of {@link System#nanoTime()}
	 */
	public long ofHandover() {
		return Math.max(at(65), System.nanoTime() + ofOneConnection().toNanos());
	}

	/**
	 * How long a container waits for its listeners.
	 * @return a part of the time
	 */
	public Duration ofListeners() {
		return this.timeout.dividedBy(4);
	}

	/**
	 * How long a batch is waited for that is being stored or replayed. Never nothing: a
	 * batch may just need a moment.
	 * @param most a bound of its own
	 * @return what is left, at most that
	 */
	public Duration ofBatches(Duration most) {
		Duration left = Duration.ofNanos(at(90) - System.nanoTime());
		Duration least = this.timeout.dividedBy(20);
		Duration time = (left.compareTo(least) > 0) ? left : least;
		return (time.compareTo(most) > 0) ? most : time;
	}

	/**
	 * From when on connections are not closed in order any more.
	 * @return an instant of {@link System#nanoTime()}
	 */
	public long ofConnections() {
		return at(95);
	}

	/**
	 * How long to open a connection may take during a stop.
	 * @return a small part of the time
	 */
	Duration ofOneConnection() {
		return this.timeout.dividedBy(20);
	}

	private long at(int percent) {
		return begun() + this.timeout.multipliedBy(percent).dividedBy(100).toNanos();
	}

	private long begun() {
		Long stop = this.begun;
		return (stop != null) ? stop : System.nanoTime();
	}

}
