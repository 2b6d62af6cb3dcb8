/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;

import io.github.rabbitretry.parking.replay.ReplayJob;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Looks after canaries that wait for their outcome: on one thread, so that they take no
 * place of a replay that publishes.
 */
final class CanaryChecks {

	private static final Log logger = LogFactory.getLog(ReplayWorker.class);

	private final ReplayStores stores;

	private final LongFunction<Optional<Lease>> leases;

	private final BooleanSupplier stopping;

	private final Runnable passed;

	private final AtomicBoolean checking = new AtomicBoolean();

	private final AtomicLong nextAt = new AtomicLong(System.nanoTime());

	/**
	 * Creates the checks.
	 * @param stores where jobs are
	 * @param leases takes the lease of a job, unless another instance has it
	 * @param stopping whether to end
	 * @param passed called when a replay may continue
	 */
	CanaryChecks(ReplayStores stores, LongFunction<Optional<Lease>> leases, BooleanSupplier stopping, Runnable passed) {
		this.stores = stores;
		this.leases = leases;
		this.stopping = stopping;
		this.passed = passed;
	}

	/**
	 * Begins to look if that is due, and has not begun.
	 * @param threads where to look
	 */
	void begin(Executor threads) {
		if (this.stopping.getAsBoolean() || this.nextAt.get() - System.nanoTime() > 0
				|| !this.checking.compareAndSet(false, true)) {
			return;
		}
		try {
			List<Long> waiting = this.stores.jobs().waitingCanaries();
			if (waiting.isEmpty()) {
				this.checking.set(false);
			}
			else {
				threads.execute(() -> check(waiting));
			}
		}
		catch (RejectedExecutionException ex) {
			this.checking.set(false);
		}
		catch (RuntimeException | Error ex) {
			this.checking.set(false);
			throw ex;
		}
	}

	private void check(List<Long> waiting) {
		long begun = System.nanoTime();
		try {
			for (Long id : waiting) {
				if (!this.stopping.getAsBoolean()) {
					this.leases.apply(id).ifPresent(this::check);
				}
			}
		}
		catch (Throwable ex) {
			ReplayWorker.away.warn(() -> "Canaries can't be looked after for now: " + ex);
			logger.debug("Canaries can't be looked after for now", ex);
		}
		finally {
			long now = System.nanoTime();
			this.nextAt.set(now + ReplayGuard.ONE_IN * (now - begun));
			this.checking.set(false);
		}
	}

	private void check(Lease lease) {
		StoredJob job = this.stores.jobs().get(lease.jobId());
		try {
			if (job.state() == ReplayJob.State.CANARY) {
				new ReplayGuard(this.stores).goOn(job, lease, job.state());
			}
		}
		finally {
			this.stores.jobs().release(lease);
		}
		if (this.stores.jobs().get(lease.jobId()).state() == ReplayJob.State.RUNNING) {
			this.passed.run();
		}
	}

}
