/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.depth;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.github.rabbitretry.internal.thread.DaemonThreads;
import io.github.rabbitretry.internal.topology.DelayLadder;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;

/**
 * Reports messages that arrive in the last queue of the virtual host. All services share
 * it, so it is no problem of this one's health.
 */
public final class UnroutableWatch implements SmartLifecycle {

	private static final Log logger = LogFactory.getLog(UnroutableWatch.class);

	private final Supplier<OptionalLong> messages;

	private final Duration interval;

	private volatile @Nullable ScheduledExecutorService executor;

	private long last;

	/** As the broker said when it was asked last, NaN if it did not. */
	private volatile double depth = Double.NaN;

	/**
	 * Creates the watch.
	 * @param messages asks the broker how many there are; empty if it does not report
	 * that
	 * @param interval how often
	 */
	public UnroutableWatch(Supplier<OptionalLong> messages, Duration interval) {
		this.messages = messages;
		this.interval = interval;
	}

	/**
	 * How many messages there were when the broker was asked last.
	 * @return the number, NaN if unknown
	 */
	public double depth() {
		return this.depth;
	}

	/** Looks once. */
	void look() {
		try {
			OptionalLong count = this.messages.get();
			count.ifPresent(this::seen);
			this.depth = count.isPresent() ? count.getAsLong() : Double.NaN;
		}
		catch (RuntimeException | Error ex) {
			this.depth = Double.NaN;
			// what is scheduled and throws is not called again
			logger.debug("How many messages are in '%s' is not known for now".formatted(DelayLadder.UNROUTABLE), ex);
		}
	}

	private void seen(long count) {
		if (count > this.last) {
			logger
				.warn(("%d messages are in '%s': the queues that they are for do not exist or are not bound, or no consumer "
						+ "can receive them. Start the service that declares the queue, and move them to exchange '%s'")
					.formatted(count, DelayLadder.UNROUTABLE, DelayLadder.EXIT));
		}
		this.last = count;
	}

	@Override
	public synchronized void start() {
		ScheduledExecutorService scheduled = Executors
			.newSingleThreadScheduledExecutor(DaemonThreads.named("rabbit-retry-unroutable"));
		scheduled.scheduleWithFixedDelay(this::look, this.interval.toMillis(), this.interval.toMillis(),
				TimeUnit.MILLISECONDS);
		this.executor = scheduled;
	}

	@Override
	public synchronized void stop() {
		ScheduledExecutorService scheduled = this.executor;
		if (scheduled != null) {
			scheduled.shutdownNow();
			this.executor = null;
		}
	}

	@Override
	public boolean isRunning() {
		return this.executor != null;
	}

}
