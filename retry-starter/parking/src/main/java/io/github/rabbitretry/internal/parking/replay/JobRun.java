/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.github.rabbitretry.internal.logging.RateLimitedLog;
import io.github.rabbitretry.internal.parking.publication.BatchPublisher;
import io.github.rabbitretry.internal.parking.publication.BatchResult;
import io.github.rabbitretry.internal.parking.publication.ClaimedItem;
import io.github.rabbitretry.internal.parking.publication.ReplaySettings;
import io.github.rabbitretry.parking.replay.ReplayJob;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;

/**
 * The work of one instance on one job, until the job is through, waits, or is another
 * instance's. In each round one transaction renews the lease, writes down what became of
 * the last batch and claims the next; then that batch is published. So a batch is all
 * that can be published twice if the process dies.
 */
final class JobRun {

	private static final Log logger = LogFactory.getLog(JobRun.class);

	private static final RateLimitedLog away = new RateLimitedLog(logger, Duration.ofSeconds(30));

	private static final long LONGEST_WAIT = Duration.ofMillis(100).toNanos();

	private static final long FIRST_PAUSE = Duration.ofMillis(100).toNanos();

	/** In leases: a thread that is blocked for longer may never go on. */
	private static final int LONGEST_BLOCKED = 10;

	private static final long LAST_PAUSE = Duration.ofSeconds(5).toNanos();

	private final StoredJob job;

	private final Lease lease;

	private final ReplayStores stores;

	private final ReplaySettings settings;

	private final BatchPublisher publisher;

	private final ReplayGuard check;

	private final BooleanSupplier stopping;

	private final ReplayRateLimiter rateLimiter;

	private BatchResult result = BatchResult.nothing();

	/**
	 * True if claimed messages may have been published already: by an instance that died,
	 * or without an answer. They are published again before anything else.
	 */
	private boolean recovering = true;

	/** Whether the last transaction failed, perhaps after it was committed. */
	private boolean commitUncertain;

	/**
	 * The sequence after the last that was claimed, 0 once some may have been put back.
	 */
	private long claimFrom;

	/** How many to publish at once: few as long as the broker refuses some. */
	private int window;

	private volatile @Nullable String stalled;

	private volatile boolean hurried;

	/** When its thread was seen last. */
	private volatile long movedOn = System.nanoTime();

	private ReplayJob.State last = ReplayJob.State.RUNNING;

	private long pause = FIRST_PAUSE;

	JobRun(StoredJob job, Lease lease, ReplayStores stores, ReplaySettings settings, BatchPublisher publisher,
			ReplayGuard check, BooleanSupplier stopping) {
		this.job = job;
		this.lease = lease;
		this.stores = stores;
		this.settings = settings;
		this.publisher = publisher;
		this.check = check;
		this.stopping = stopping;
		this.window = settings.inFlight();
		this.stalled = job.stalled();
		this.rateLimiter = new ReplayRateLimiter(job.options().rate(), job.options().ramp(), System.nanoTime());
	}

	void run() throws InterruptedException {
		boolean goesOn = true;
		while (goesOn && !Thread.currentThread().isInterrupted()) {
			try {
				goesOn = round();
			}
			catch (RuntimeException ex) {
				away.warn(
						"Replay %s %s".formatted(this.job.replayId(),
								(ex instanceof DataAccessException) ? "waits for its database" : "failed and goes on"),
						ex);
				this.commitUncertain = true;
				// what is confirmed would be published again
				goesOn = !this.stopping.getAsBoolean() || !this.result.published().isEmpty();
				backOff();
			}
		}
	}

	/** Whether the broker did not take all of the last batch. */
	boolean isStalled() {
		return this.stalled != null;
	}

	/** Waits for no more confirms: a stop interrupts soon, and those that came count. */
	void hurry() {
		this.hurried = true;
	}

	private boolean round() throws InterruptedException {
		this.movedOn = System.nanoTime();
		boolean stop = this.stopping.getAsBoolean();
		boolean due = this.check.due();
		int permits = (stop || due || this.commitUncertain || this.recovering) ? 0
				: this.rateLimiter.take(System.nanoTime(), this.window);
		ItemStore.ClaimedBatch turn = turn(permits);
		if (turn == ItemStore.ClaimedBatch.LOST) {
			return false;
		}
		if (this.commitUncertain) {
			// a claim may have been committed without our knowing
			this.recovering = true;
			this.commitUncertain = false;
		}
		if (this.last == ReplayJob.State.CANARY && turn.state() == ReplayJob.State.RUNNING) {
			this.rateLimiter.restart(System.nanoTime());
		}
		this.last = turn.state();
		this.rateLimiter.unused(Math.max(0, permits - turn.claimed().size()));
		if (stop || !turn.state().works()) {
			this.stores.jobs().release(this.lease);
			return false;
		}
		if (due) {
			return this.check.evaluate(this.job, this.lease, turn.state());
		}
		List<ClaimedItem> batch = this.recovering ? this.stores.items().claimed(this.job.id()) : turn.claimed();
		if (batch.isEmpty()) {
			boolean wasRecovering = this.recovering;
			this.recovering = false;
			return wasRecovering || rest(turn, permits);
		}
		return publish(batch);
	}

	/** Writes down the last batch and claims the next. */
	private ItemStore.ClaimedBatch turn(int permits) {
		long askedAt = System.nanoTime();
		ItemStore.ClaimedBatch next = this.stores.tables().inTransaction(() -> {
			if (!this.stores.jobs().renew(this.lease)) {
				return ItemStore.ClaimedBatch.LOST;
			}
			StoredJob now = this.stores.jobs().get(this.job.id());
			this.stores.items().settle(this.job, this.result);
			if (!now.state().active()) {
				this.stores.outcomes().uncertain(this.job.id());
			}
			this.rateLimiter.change(now.options().rate(), now.options().ramp(), System.nanoTime());
			boolean works = now.state().works();
			if (works && !Objects.equals(now.stalled(), this.stalled)) {
				this.stores.jobs().stalled(this.lease, this.stalled);
			}
			return (works && permits > 0) ? claim(now, permits)
					: new ItemStore.ClaimedBatch(now.state(), List.of(), false, 0);
		});
		this.lease.renewed(askedAt);
		this.result = BatchResult.nothing();
		this.claimFrom = (next.next() > 0) ? next.next() : this.claimFrom;
		if (next == ItemStore.ClaimedBatch.LOST) {
			logger.info("Replay %s is worked on by another instance".formatted(this.job.replayId()));
		}
		return next;
	}

	private ItemStore.ClaimedBatch claim(StoredJob now, int permits) {
		if (now.state() != ReplayJob.State.CANARY) {
			return this.stores.items().claim(now, this.claimFrom, permits);
		}
		long left = Math.max(0, this.job.options().canary() - this.stores.items().countClaimed(this.job.id()));
		ItemStore.ClaimedBatch claimed = this.stores.items().claim(now, this.claimFrom, (int) Math.min(permits, left));
		if (claimed.exhausted()) {
			this.stores.jobs().canaryWaits(this.lease);
		}
		return claimed;
	}

	private boolean rest(ItemStore.ClaimedBatch turn, int permits) throws InterruptedException {
		if (turn.exhausted() && turn.state() == ReplayJob.State.RUNNING) {
			return !this.check.finish(this.job, this.lease);
		}
		if (turn.exhausted()) {
			// a canary: waiting for its outcome is no work
			this.stores.jobs().release(this.lease);
			return false;
		}
		// with permits, all that were looked at had been taken: the next ones need not
		// wait
		long wait = (permits > 0) ? 0 : Math.max(1_000_000, this.rateLimiter.untilNext(System.nanoTime()));
		waitFor(Math.min(wait, LONGEST_WAIT));
		return true;
	}

	private boolean publish(List<ClaimedItem> batch) throws InterruptedException {
		boolean noRoute;
		try {
			this.publisher.publish(batch, this.result, this::mayGoOn);
			noRoute = !this.result.returned().isEmpty() || this.publisher.noRoute();
		}
		finally {
			if (this.recovering) {
				this.result.perhapsPublishedBefore();
			}
		}
		this.recovering = !this.result.unknown().isEmpty();
		if (!this.hurried) {
			this.stalled = this.publisher.problem();
		}
		if (!this.result.complete()) {
			this.claimFrom = 0;
		}
		if (noRoute) {
			return !unroutable();
		}
		if (this.result.complete()) {
			this.window = Math.min(this.settings.inFlight(), this.window * 2);
			this.pause = FIRST_PAUSE;
		}
		else {
			this.window = Math.max(1, Math.min(this.window, this.result.published().size()));
			boolean gotOn = !this.result.published().isEmpty() || !this.result.failed().isEmpty();
			this.pause = gotOn ? FIRST_PAUSE : this.pause;
			backOff();
		}
		return true;
	}

	/**
	 * While something is published or confirms are waited for, the lease must not end.
	 */
	private boolean mayGoOn() {
		this.movedOn = System.nanoTime();
		renew();
		return !this.hurried && !this.lease.ended();
	}

	/** The same on another thread, for the one that publishes may be blocked. */
	void keepLease() {
		if (System.nanoTime() - this.movedOn < LONGEST_BLOCKED * this.lease.length().toNanos()) {
			renew();
		}
	}

	private void renew() {
		try {
			if (this.lease.dueForRenewal()) {
				long askedAt = System.nanoTime();
				if (this.stores.jobs().renew(this.lease)) {
					this.lease.renewed(askedAt);
				}
			}
		}
		catch (RuntimeException ex) {
			logger.debug("A lease can't be renewed for now", ex);
		}
	}

	/** The batch is written down first; what the broker refused is not published. */
	private boolean unroutable() {
		ItemStore.ClaimedBatch turn = turn(0);
		// otherwise the next round ends it
		return turn.state().works() && this.check.unroutable(this.job, this.lease, turn.state(),
				this.publisher.noRoute() ? this.publisher.problem() : null);
	}

	private void backOff() throws InterruptedException {
		// not for longer than the lease lasts
		waitFor(Math.min(this.pause, this.lease.length().toNanos() / 3));
		this.pause = Math.min(this.pause * 2, LAST_PAUSE);
	}

	private void waitFor(long nanos) throws InterruptedException {
		long until = System.nanoTime() + nanos;
		do {
			LockSupport.parkNanos(Math.min(until - System.nanoTime(), LONGEST_WAIT));
			if (Thread.interrupted()) {
				throw new InterruptedException();
			}
		}
		while (until - System.nanoTime() > 0 && !this.stopping.getAsBoolean());
	}

}
