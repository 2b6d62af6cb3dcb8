/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.depth;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Supplier;

import io.github.rabbitretry.internal.thread.Watchdog;
import io.github.rabbitretry.internal.topology.DelayLadder;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Reports messages that arrive in the last queue of the virtual host. All services share
 * it, so it is no problem of this one's health.
 */
public final class UnroutableMonitor implements SmartLifecycle {

	private static final Log logger = LogFactory.getLog(UnroutableMonitor.class);

	private final Supplier<OptionalLong> messages;

	private final long interval;

	private volatile boolean running;

	private volatile long lookAt;

	private long last;

	/** As the broker said when it was asked last, NaN if it did not. */
	private volatile double depth = Double.NaN;

	/**
	 * Creates the monitor.
	 * @param messages asks the broker how many there are; empty if it does not report
	 * that
	 * @param interval how often
	 * @param watchdog knows when it is time
	 */
	public UnroutableMonitor(Supplier<OptionalLong> messages, Duration interval, Watchdog watchdog) {
		this.messages = messages;
		this.interval = interval.toNanos();
		watchdog.monitor("rabbit-retry-unroutable", this::due, this::look);
	}

	/**
	 * How many messages there were when the broker was asked last.
	 * @return the number, NaN if unknown
	 */
	public double depth() {
		return this.depth;
	}

	private boolean due() {
		return this.running && System.nanoTime() - this.lookAt >= 0;
	}

	/** Looks once. */
	void look() {
		this.lookAt = System.nanoTime() + this.interval;
		try {
			OptionalLong count = this.messages.get();
			count.ifPresent(this::seen);
			this.depth = count.isPresent() ? count.getAsLong() : Double.NaN;
		}
		catch (RuntimeException | Error ex) {
			this.depth = Double.NaN;
			logger.debug("How many messages are in '%s' is not known for now".formatted(DelayLadder.UNROUTABLE), ex);
		}
	}

	private void seen(long count) {
		if (count > this.last) {
			logger
				.warn(("%s messages are in '%s': the queues that they are for do not exist or are not bound, or no consumer "
						+ "can receive them. Start the service that declares the queue, and move them to exchange '%s'")
					.formatted(count, DelayLadder.UNROUTABLE, DelayLadder.EXIT));
		}
		this.last = count;
	}

	@Override
	public void start() {
		this.lookAt = System.nanoTime() + this.interval;
		this.running = true;
	}

	@Override
	public void stop() {
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

}
