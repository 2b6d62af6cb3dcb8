/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.github.rabbitretry.internal.thread.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;

/**
 * What tables need done now and then, however many instances do it, on a thread of its
 * own. It stops with the application.
 */
public abstract class DatabaseMaintenance implements SmartLifecycle {

	private static final Log logger = LogFactory.getLog(DatabaseMaintenance.class);

	private final String thread;

	private @Nullable ScheduledExecutorService executor;

	/**
	 * Creates it.
	 * @param thread the thread's name
	 */
	protected DatabaseMaintenance(String thread) {
		this.thread = thread;
	}

	/**
	 * What there is to do, asked at each start.
	 * @return nothing if no thread is needed
	 */
	protected abstract List<Task> tasks();

	@Override
	public synchronized void start() {
		List<Task> tasks = (this.executor == null) ? tasks() : List.of();
		if (!tasks.isEmpty()) {
			ScheduledExecutorService started = Executors
				.newSingleThreadScheduledExecutor(DaemonThreads.named(this.thread));
			tasks.forEach((task) -> started.scheduleWithFixedDelay(task::run, 0, task.between().toMillis(),
					TimeUnit.MILLISECONDS));
			this.executor = started;
		}
	}

	@Override
	public synchronized void stop() {
		ScheduledExecutorService started = this.executor;
		if (started != null) {
			started.shutdownNow();
			this.executor = null;
		}
	}

	@Override
	public synchronized boolean isRunning() {
		return this.executor != null;
	}

	/**
	 * Something to do.
	 *
	 * @param between the time from its end to its next begin
	 * @param work what is done
	 * @param without what a log says if it fails: the state that remains
	 */
	public record Task(Duration between, Runnable work, String without) {

		private void run() {
			try {
				this.work.run();
			}
			catch (DataAccessException ex) {
				logger.warn(this.without + " for now: " + ex.getMessage());
			}
			catch (Throwable ex) {
				// an Error too: what is scheduled and throws is not called again
				logger.error(this.without + " for now", ex);
			}
		}

	}

}
