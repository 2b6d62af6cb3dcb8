/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.ledger;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Deletes what was parked longer ago than its policy keeps it, whatever became of it.
 */
public final class LedgerRetention implements SmartLifecycle {

	private static final Log logger = LogFactory.getLog(LedgerRetention.class);

	/** So that a delete holds no lock for long. */
	private static final int PORTION = 1000;

	private static final Duration BETWEEN = Duration.ofMinutes(10);

	private final JdbcClient jdbc;

	private final LedgerSchema schema;

	private final List<LedgerPolicy> policies;

	private final InstantSource clock;

	private @Nullable ScheduledExecutorService executor;

	/**
	 * Creates the retention.
	 * @param dataSource leads to the database
	 * @param schema its tables
	 * @param policies what is kept for how long
	 * @param clock what time it is
	 */
	public LedgerRetention(DataSource dataSource, LedgerSchema schema, Collection<LedgerPolicy> policies,
			InstantSource clock) {
		this.jdbc = JdbcClient.create(dataSource);
		this.schema = schema;
		this.policies = policies.stream().filter((policy) -> policy.retention() != null).toList();
		this.clock = clock;
	}

	/**
	 * Deletes what is too old now.
	 * @return how many rows that were
	 */
	long deleteOld() {
		this.schema.ready();
		long deleted = 0;
		for (LedgerPolicy policy : this.policies) {
			Duration retention = policy.retention();
			if (retention != null) {
				deleted += deleteOld(policy, this.clock.instant().minus(retention));
			}
		}
		return deleted;
	}

	private long deleteOld(LedgerPolicy policy, Instant before) {
		long deleted = 0;
		int portion;
		do {
			portion = this.jdbc.sql("""
					delete from rabbit_retry_parked where id in (
						select p.id from rabbit_retry_parked p
						join rabbit_retry_failure_kind k on k.id = p.kind_id
						where k.queue = :queue and p.parked_at < :before limit :portion)""")
				.param("queue", policy.queue())
				.param("before", before.atOffset(ZoneOffset.UTC))
				.param("portion", PORTION)
				.update();
			deleted += portion;
		}
		while (portion == PORTION);
		if (deleted > 0) {
			logger.info("Deleted %d messages of '%s' from the ledger, parked before %s".formatted(deleted,
					policy.messageType(), before));
		}
		return deleted;
	}

	private void tryDeleteOld() {
		try {
			deleteOld();
		}
		catch (DataAccessException ex) {
			logger.warn("What is too old stays in the ledger for now: " + ex.getMessage());
		}
		catch (RuntimeException ex) {
			logger.error("What is too old stays in the ledger for now", ex);
		}
	}

	@Override
	public synchronized void start() {
		if (!this.policies.isEmpty() && this.executor == null) {
			ScheduledExecutorService started = Executors.newSingleThreadScheduledExecutor((work) -> {
				Thread thread = new Thread(work, "rabbit-retry-ledger-retention");
				thread.setDaemon(true);
				return thread;
			});
			started.scheduleWithFixedDelay(this::tryDeleteOld, 0, BETWEEN.toMillis(), TimeUnit.MILLISECONDS);
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

}
