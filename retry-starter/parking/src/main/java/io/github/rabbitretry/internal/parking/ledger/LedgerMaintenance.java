/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.github.rabbitretry.internal.parking.mapping.LedgerPolicy;
import io.github.rabbitretry.internal.thread.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;

/**
 * What the ledger's tables need done now and then, however many instances do it, on one
 * thread.
 */
public final class LedgerMaintenance implements SmartLifecycle {

	/** The time between deletions of what is too old. */
	public static final Duration BETWEEN_DELETIONS = Duration.ofMinutes(10);

	private static final Duration BETWEEN_SUMS = Duration.ofMinutes(1);

	private static final Log logger = LogFactory.getLog(LedgerMaintenance.class);

	private final LedgerSchema schema;

	private final List<Task> tasks;

	private @Nullable ScheduledExecutorService executor;

	/**
	 * Creates the maintenance.
	 * @param schema the ledger's tables
	 * @param tasks what there is to do; without any, there is no thread
	 */
	public LedgerMaintenance(LedgerSchema schema, List<Task> tasks) {
		this.schema = schema;
		this.tasks = List.copyOf(tasks);
	}

	/**
	 * Deleting parked messages that are too old, and summing up counts.
	 * @param schema the ledger's tables
	 * @param policies what is kept for how long
	 * @return what there is to do
	 */
	public static List<Task> ofParked(LedgerSchema schema, Collection<LedgerPolicy> policies) {
		List<Task> tasks = new ArrayList<>();
		LedgerRetention retention = new LedgerRetention(schema, policies, schema.clock());
		if (retention.deletes()) {
			tasks.add(new Task(BETWEEN_DELETIONS, retention::deleteOld, "What is too old stays in the ledger"));
		}
		tasks.add(new Task(BETWEEN_SUMS, new LedgerCounts(schema)::sumUp, "Counts of the ledger are not summed up"));
		return tasks;
	}

	@Override
	public synchronized void start() {
		if (this.executor == null && !this.tasks.isEmpty() && !this.schema.unused()) {
			ScheduledExecutorService started = Executors
				.newSingleThreadScheduledExecutor(DaemonThreads.named("rabbit-retry-ledger-upkeep"));
			this.tasks.forEach((task) -> started.scheduleWithFixedDelay(task::run, 0, task.between().toMillis(),
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
