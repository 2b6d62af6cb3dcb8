/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.declaration;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

import io.github.rabbitretry.internal.broker.TopologyProblem;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * What is wrong with the topology at the moment. The broker is asked at most once in a
 * while, only on request, and never by that thread: health must not wait for it. What is
 * known to be wrong is looked at sooner, at first.
 */
final class TopologyMonitor {

	static final Duration INTERVAL = Duration.ofSeconds(30);

	/** Each look at what is missing is an error in the broker's log. */
	static final Duration SOONEST = Duration.ofSeconds(5);

	static final Duration LATEST = Duration.ofMinutes(2);

	private static final Log logger = LogFactory.getLog(TopologyMonitor.class);

	private final UnaryOperator<List<TopologyProblem>> look;

	private final Executor executor;

	private final LongSupplier nanoTime;

	private final AtomicBoolean looking = new AtomicBoolean();

	private volatile List<TopologyProblem> known = List.of();

	private volatile long nextAt;

	private volatile long pause = SOONEST.toNanos();

	/**
	 * Creates the monitor.
	 * @param look finds what is wrong now, given what was before
	 * @param executor looks
	 * @param nanoTime what time it is
	 */
	TopologyMonitor(UnaryOperator<List<TopologyProblem>> look, Executor executor, LongSupplier nanoTime) {
		this.look = look;
		this.executor = executor;
		this.nanoTime = nanoTime;
		this.nextAt = nanoTime.getAsLong();
	}

	/**
	 * What was wrong at the last look. Has the broker asked again if that is due.
	 * @return the problems, empty if there are none or nothing is known yet
	 */
	List<TopologyProblem> problems() {
		if (this.nextAt - this.nanoTime.getAsLong() <= 0 && this.looking.compareAndSet(false, true)) {
			try {
				this.executor.execute(this::look);
			}
			catch (RuntimeException ex) {
				logger.debug("The application stops", ex);
				this.looking.set(false);
			}
		}
		return this.known;
	}

	/**
	 * Takes over the result of another check.
	 * @param problems what is wrong
	 */
	void found(List<TopologyProblem> problems) {
		boolean same = problems.equals(this.known);
		this.known = List.copyOf(problems);
		this.pause = same ? Math.min(2 * this.pause, LATEST.toNanos()) : SOONEST.toNanos();
		this.nextAt = this.nanoTime.getAsLong() + (problems.isEmpty() ? INTERVAL.toNanos() : this.pause);
	}

	private void look() {
		try {
			found(this.look.apply(this.known));
		}
		catch (RuntimeException | Error ex) {
			// what was wrong may still be
			logger.debug("What is missing on the broker is not known for now", ex);
			this.nextAt = this.nanoTime.getAsLong() + INTERVAL.toNanos();
		}
		finally {
			this.looking.set(false);
		}
	}

}
