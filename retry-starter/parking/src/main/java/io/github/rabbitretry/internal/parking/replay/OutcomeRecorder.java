/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.event.ReplayReference;
import io.github.rabbitretry.internal.connection.FatalErrors;
import io.github.rabbitretry.internal.connection.LifecyclePhases;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import io.github.rabbitretry.internal.thread.DaemonThreads;
import io.github.rabbitretry.parking.replay.ReplayItem;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;

/**
 * Writes outcomes of replayed messages into the database, later and many at once. What is
 * not written before the process dies stays undecided; that a message was parked again is
 * found in the ledger all the same.
 */
public final class OutcomeRecorder implements DeliveryListener, SmartLifecycle {

	private static final Log logger = LogFactory.getLog(OutcomeRecorder.class);

	private static final int MOST_WAITING = 50_000;

	private static final int AT_ONCE = 500;

	private static final Duration BETWEEN_WRITES = Duration.ofMillis(100);

	private static final Duration STOP = Duration.ofSeconds(5);

	private final RateLimitedLog warning = new RateLimitedLog(logger, Duration.ofSeconds(30));

	private final BlockingQueue<OutcomeStore.Outcome> waiting = new ArrayBlockingQueue<>(MOST_WAITING);

	private final ReplayStores stores;

	/** Taken, and perhaps not written yet. Each executor has its own, as one may hang. */
	private List<OutcomeStore.Outcome> batch = new ArrayList<>();

	private @Nullable ScheduledExecutorService executor;

	/**
	 * Creates the recorder.
	 * @param stores where outcomes go
	 */
	public OutcomeRecorder(ReplayStores stores) {
		this.stores = stores;
	}

	@Override
	public void replayEnded(String messageType, ReplayReference mark, ReplayReference.Outcome outcome) {
		OptionalLong job = StoredJob.number(mark.replayId());
		if (job.isPresent() && !this.waiting
			.offer(new OutcomeStore.Outcome(job.getAsLong(), mark.item(), ReplayItem.State.valueOf(outcome.name())))) {
			this.warning.warn(() -> "Outcomes of replayed messages can't be written fast enough; some stay undecided");
		}
	}

	/** Whether none is waiting any more. It does not throw, to be run again. */
	private boolean write(List<OutcomeStore.Outcome> batch) {
		try {
			while (!batch.isEmpty() || this.waiting.drainTo(batch, AT_ONCE) > 0) {
				this.stores.outcomes().write(batch);
				batch.clear();
			}
			return true;
		}
		catch (Throwable ex) {
			FatalErrors.endProcessUpon(ex);
			this.warning.warn("Outcomes of replayed messages can't be written for now", ex);
			return false;
		}
	}

	/** Until all are written, or an interrupt ends it. */
	private void writeRest(List<OutcomeStore.Outcome> batch) {
		while (!write(batch) && !Thread.currentThread().isInterrupted()) {
			LockSupport.parkNanos(BETWEEN_WRITES.toNanos());
		}
	}

	@Override
	public synchronized void start() {
		if (this.executor == null) {
			ScheduledExecutorService started = Executors
				.newSingleThreadScheduledExecutor(DaemonThreads.named("rabbit-retry-replay-outcomes"));
			List<OutcomeStore.Outcome> own = new ArrayList<>(AT_ONCE);
			started.scheduleWithFixedDelay(() -> write(own), 0, BETWEEN_WRITES.toMillis(), TimeUnit.MILLISECONDS);
			this.executor = started;
			this.batch = own;
		}
	}

	/** Writes what is still waiting, bounded. */
	@Override
	public synchronized void stop() {
		ScheduledExecutorService running = this.executor;
		if (running == null) {
			return;
		}
		List<OutcomeStore.Outcome> own = this.batch;
		running.execute(() -> writeRest(own));
		running.shutdown();
		try {
			running.awaitTermination(STOP.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		running.shutdownNow();
		this.executor = null;
		int left = own.size() + this.waiting.size();
		if (left > 0) {
			logger.warn("Outcomes of replayed messages that were not written before the stop: " + left);
		}
	}

	@Override
	public synchronized boolean isRunning() {
		return this.executor != null;
	}

	@Override
	public int getPhase() {
		return LifecyclePhases.PUBLISHERS;
	}

}
