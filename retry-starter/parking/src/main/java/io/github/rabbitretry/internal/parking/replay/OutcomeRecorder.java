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
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.event.ReplayReference;
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

	private static final Duration GATHERING = Duration.ofMillis(100);

	private static final Duration STOP = Duration.ofSeconds(5);

	private final RateLimitedLog warning = new RateLimitedLog(logger, Duration.ofSeconds(30));

	private final BlockingQueue<OutcomeStore.Outcome> waiting = new ArrayBlockingQueue<>(MOST_WAITING);

	private final ReplayStores stores;

	private final Semaphore stopped = new Semaphore(0);

	private volatile boolean stopping;

	private @Nullable Thread thread;

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

	private void write() {
		List<OutcomeStore.Outcome> batch = new ArrayList<>(AT_ONCE);
		try {
			while (!this.stopping || !this.waiting.isEmpty()) {
				gather(batch);
				if (!batch.isEmpty()) {
					write(batch);
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void gather(List<OutcomeStore.Outcome> batch) throws InterruptedException {
		if (batch.isEmpty()) {
			OutcomeStore.Outcome first = this.waiting.poll(GATHERING.toMillis(), TimeUnit.MILLISECONDS);
			if (first == null) {
				return;
			}
			batch.add(first);
		}
		this.waiting.drainTo(batch, AT_ONCE - batch.size());
	}

	private void write(List<OutcomeStore.Outcome> batch) throws InterruptedException {
		try {
			this.stores.outcomes().write(batch);
			batch.clear();
		}
		catch (Throwable ex) {
			// an Error too: writing would end for good
			this.warning.warn("Outcomes of replayed messages can't be written for now", ex);
			logger.debug("Outcomes can't be written for now", ex);
			if (this.stopping) {
				batch.clear();
				return;
			}
			this.stopped.tryAcquire(1, TimeUnit.SECONDS);
		}
	}

	@Override
	public synchronized void start() {
		if (this.thread == null) {
			this.stopping = false;
			Thread started = DaemonThreads.start("rabbit-retry-replay-outcomes", this::write);
			this.thread = started;
		}
	}

	/** Writes what is still waiting, bounded. */
	@Override
	public synchronized void stop() {
		Thread running = this.thread;
		if (running == null) {
			return;
		}
		this.stopping = true;
		this.stopped.release();
		try {
			running.join(STOP.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		running.interrupt();
		this.thread = null;
	}

	@Override
	public synchronized boolean isRunning() {
		return this.thread != null;
	}

	@Override
	public int getPhase() {
		return LifecyclePhases.PUBLISHERS;
	}

}
