/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.depth;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import io.github.rabbitretry.internal.thread.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * How many messages are parked, and since when, by message type. The database is asked at
 * most once in a while, and never by who wants to know: a scrape must not wait for it.
 */
public final class ParkedDepths implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(ParkedDepths.class);

	private final ExecutorService executor = Executors
		.newSingleThreadExecutor(DaemonThreads.named("rabbit-retry-parked-depth"));

	private final AtomicBoolean asking = new AtomicBoolean();

	private final AtomicLong askAt = new AtomicLong(System.nanoTime());

	private final Supplier<Map<String, ParkedDepth>> counts;

	private final InstantSource clock;

	private final long interval;

	private volatile @Nullable Map<String, ParkedDepth> last;

	/**
	 * Creates the depths.
	 * @param counts asks the database, or else the broker
	 * @param interval the least time between two questions
	 * @param clock what time it is
	 */
	public ParkedDepths(Supplier<Map<String, ParkedDepth>> counts, Duration interval, InstantSource clock) {
		this.counts = counts;
		this.clock = clock;
		this.interval = interval.toNanos();
	}

	/**
	 * How many messages are parked.
	 * @param messageType the message type
	 * @return the number when the database was asked last, NaN before its first answer or
	 * if unknown
	 */
	public double count(String messageType) {
		askIfDue();
		ParkedDepth depth = of(messageType);
		return (depth != null) ? depth.count() : Double.NaN;
	}

	/**
	 * How long the oldest has been parked.
	 * @param messageType the message type
	 * @return seconds, 0 if there is none, NaN before the database's first answer
	 */
	public double oldestAgeSeconds(String messageType) {
		askIfDue();
		ParkedDepth depth = of(messageType);
		if (depth == null) {
			return Double.NaN;
		}
		Instant oldest = depth.oldest();
		Duration age = Duration.between(oldest, this.clock.instant());
		return (oldest == Instant.MAX) ? 0 : Math.max(0, age.toMillis() / 1000.0);
	}

	/** Zero is a result; no response yet is none. */
	private @Nullable ParkedDepth of(String messageType) {
		Map<String, ParkedDepth> known = this.last;
		if (known != null && ParkedDepth.UNKNOWN.equals(known.get(messageType))) {
			return null;
		}
		return (known != null) ? known.getOrDefault(messageType, ParkedDepth.NONE) : null;
	}

	private void askIfDue() {
		if (this.askAt.get() - System.nanoTime() <= 0 && this.asking.compareAndSet(false, true)) {
			try {
				this.executor.execute(this::ask);
			}
			catch (RejectedExecutionException ex) {
				logger.debug("The application stops", ex);
				this.asking.set(false);
			}
		}
	}

	private void ask() {
		try {
			this.last = this.counts.get();
		}
		catch (RuntimeException | Error ex) {
			logger.debug("How many messages are parked is not known for now", ex);
		}
		finally {
			this.askAt.set(System.nanoTime() + this.interval);
			this.asking.set(false);
		}
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

}
