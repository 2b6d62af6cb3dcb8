/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;

/**
 * What the ledger needs done now and then, however many instances do it: deleting what is
 * too old, and summing up its counts.
 */
public final class LedgerMaintenance implements SmartLifecycle {

	private static final Log logger = LogFactory.getLog(LedgerMaintenance.class);

	private static final Duration BETWEEN_DELETIONS = Duration.ofMinutes(10);

	private static final Duration BETWEEN_SUMS = Duration.ofMinutes(1);

	private final LedgerSchema schema;

	private final LedgerRetention retention;

	private final LedgerCounts counts;

	private @Nullable ScheduledExecutorService executor;

	/**
	 * Creates the maintenance.
	 * @param dataSource leads to the database
	 * @param schema its tables
	 * @param policies what is kept for how long
	 * @param clock what time it is
	 */
	public LedgerMaintenance(DataSource dataSource, LedgerSchema schema, Collection<LedgerPolicy> policies,
			InstantSource clock) {
		this.schema = schema;
		this.retention = new LedgerRetention(dataSource, schema, policies, clock);
		this.counts = new LedgerCounts(dataSource, schema);
	}

	@Override
	public synchronized void start() {
		if (this.executor == null && !this.schema.unused()) {
			ScheduledExecutorService started = Executors.newSingleThreadScheduledExecutor((work) -> {
				Thread thread = new Thread(work, "rabbit-retry-ledger-upkeep");
				thread.setDaemon(true);
				return thread;
			});
			if (this.retention.deletes()) {
				every(started, BETWEEN_DELETIONS, this.retention::deleteOld, "What is too old stays in the ledger");
			}
			every(started, BETWEEN_SUMS, this.counts::sumUp, "Counts of the ledger are not summed up");
			this.executor = started;
		}
	}

	private static void every(ScheduledExecutorService executor, Duration between, Runnable work, String without) {
		executor.scheduleWithFixedDelay(() -> {
			try {
				work.run();
			}
			catch (DataAccessException ex) {
				logger.warn(without + " for now: " + ex.getMessage());
			}
			catch (Throwable ex) {
				// an Error too: what is scheduled and throws is not called again
				logger.error(without + " for now", ex);
			}
		}, 0, between.toMillis(), TimeUnit.MILLISECONDS);
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

}
