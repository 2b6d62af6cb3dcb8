/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.replay;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.github.rabbitretry.event.OccasionalWarning;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.dao.DataAccessException;

/**
 * The work of one instance on one job, until the job is through or somebody else's. In
 * each round one transaction renews the lease, writes down what became of the last batch
 * and claims the next; then that batch is published. So a batch is all that can be
 * published twice if the process dies.
 */
final class JobRun {

	private static final Log logger = LogFactory.getLog(JobRun.class);

	private static final OccasionalWarning away = new OccasionalWarning(logger, Duration.ofSeconds(30));

	private static final long LONGEST_WAIT = Duration.ofMillis(100).toNanos();

	private static final long FIRST_PAUSE = Duration.ofMillis(100).toNanos();

	private static final long LAST_PAUSE = Duration.ofSeconds(5).toNanos();

	private final StoredJob job;

	private final Lease lease;

	private final ReplayStores stores;

	private final ReplaySettings settings;

	private final BatchPublisher publisher;

	private final JobCheck check;

	private final BooleanSupplier stopping;

	private final Pace pace;

	private Settled settled = Settled.nothing();

	private List<Claimed> again;

	/** Whether the last transaction failed, perhaps after it was committed. */
	private boolean inDoubt;

	private JobState last = JobState.RUNNING;

	private long pause = FIRST_PAUSE;

	JobRun(StoredJob job, Lease lease, ReplayStores stores, ReplaySettings settings, BatchPublisher publisher,
			JobCheck check, BooleanSupplier stopping) {
		this.job = job;
		this.lease = lease;
		this.stores = stores;
		this.settings = settings;
		this.publisher = publisher;
		this.check = check;
		this.stopping = stopping;
		this.pace = new Pace(job.options().rate(), job.options().ramp(), System.nanoTime());
		// of an instance that died; published again before anything else
		this.again = stores.items().claimed(job.id());
	}

	void run() throws InterruptedException {
		boolean goesOn = true;
		while (goesOn && !Thread.currentThread().isInterrupted()) {
			try {
				goesOn = round();
			}
			catch (DataAccessException ex) {
				away.warn(() -> "Replay %s waits for its database: %s".formatted(this.job.replayId(), ex));
				logger.debug("A replay waits for its database", ex);
				this.inDoubt = true;
				goesOn = !this.stopping.getAsBoolean();
				backOff();
			}
		}
	}

	private boolean round() throws InterruptedException {
		boolean stop = this.stopping.getAsBoolean();
		int permits = (stop || this.inDoubt || !this.again.isEmpty()) ? 0
				: this.pace.take(System.nanoTime(), this.settings.inFlight());
		Turn turn = turn(permits);
		if (turn == Turn.LOST) {
			logger.info("Replay %s is worked on by another instance".formatted(this.job.replayId()));
			return false;
		}
		this.settled = Settled.nothing();
		if (this.inDoubt) {
			// a claim may have been committed without our knowing
			this.again = this.stores.items().claimed(this.job.id());
			this.inDoubt = false;
		}
		if (this.last == JobState.CANARY && turn.state() == JobState.RUNNING) {
			this.pace.restart(System.nanoTime());
		}
		this.last = turn.state();
		this.pace.unused(Math.max(0, permits - turn.claimed().size()));
		if (stop || !turn.state().works()) {
			this.stores.jobs().release(this.lease);
			return false;
		}
		List<Claimed> batch = this.again.isEmpty() ? turn.claimed() : this.again;
		if (batch.isEmpty()) {
			return rest(turn, permits);
		}
		this.settled = this.publisher.publish(batch, this.lease);
		this.again = List.copyOf(this.settled.unknown());
		return afterBatch(turn.state());
	}

	/** Writes down the last batch and claims the next. */
	private Turn turn(int permits) {
		long askedAt = System.nanoTime();
		Turn next = this.stores.tables().inTransaction(() -> {
			if (!this.stores.jobs().renew(this.lease)) {
				return Turn.LOST;
			}
			StoredJob now = this.stores.jobs().get(this.job.id());
			this.stores.items().settle(this.job, this.settled);
			if (!now.state().works() || permits == 0) {
				return new Turn(now.state(), List.of(), false);
			}
			boolean canary = now.state() == JobState.CANARY;
			Turn claimed = this.stores.items()
				.claim(now, permits, canary ? this.job.options().canary() : Long.MAX_VALUE);
			if (claimed.exhausted() && canary) {
				this.stores.jobs().canaryWaits(this.lease);
			}
			return claimed;
		});
		this.lease.renewed(askedAt);
		return next;
	}

	private boolean rest(Turn turn, int permits) throws InterruptedException {
		if (turn.exhausted() && turn.state() == JobState.RUNNING) {
			return !this.check.finish(this.job, this.lease);
		}
		if (this.check.due() && !this.check.goOn(this.job, this.lease, turn.state())) {
			return false;
		}
		long wait = (permits > 0) ? LONGEST_WAIT : this.pace.untilNext(System.nanoTime());
		waitFor(Math.max(1_000_000, Math.min(wait, LONGEST_WAIT)));
		return true;
	}

	private boolean afterBatch(JobState state) throws InterruptedException {
		if (!this.settled.returned().isEmpty() || (!this.again.isEmpty() && this.publisher.refusedByBroker())) {
			return !unroutable(state);
		}
		if (!this.again.isEmpty()) {
			backOff();
		}
		else {
			this.pause = FIRST_PAUSE;
		}
		return !this.check.due() || this.check.goOn(this.job, this.lease, state);
	}

	/** The batch is written down first; what the broker refused is not published. */
	private boolean unroutable(JobState state) {
		if (this.publisher.refusedByBroker()) {
			this.settled.returned().addAll(this.again);
			this.again = List.of();
		}
		Turn turn = turn(0);
		this.settled = Settled.nothing();
		return turn == Turn.LOST || this.check.unroutable(this.job, this.lease, state);
	}

	private void backOff() throws InterruptedException {
		waitFor(this.pause);
		this.pause = Math.min(this.pause * 2, LAST_PAUSE);
	}

	private void waitFor(long nanos) throws InterruptedException {
		long until = System.nanoTime() + nanos;
		while (until - System.nanoTime() > 0 && !this.stopping.getAsBoolean()) {
			LockSupport.parkNanos(Math.min(until - System.nanoTime(), LONGEST_WAIT));
			if (Thread.interrupted()) {
				throw new InterruptedException();
			}
		}
	}

}
