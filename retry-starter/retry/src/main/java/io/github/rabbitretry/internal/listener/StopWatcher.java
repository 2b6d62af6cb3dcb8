/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.github.rabbitretry.internal.logging.BestEffortLog;
import io.github.rabbitretry.internal.thread.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Looks after containers some times a second. Before one that stops closes the channel of
 * a listener that goes on for long, what is prefetched behind that listener is given
 * back.
 */
final class StopWatcher {

	private static final Log logger = LogFactory.getLog(StopWatcher.class);

	private static final long PERIOD = 100;

	private final List<Runnable> looks = new CopyOnWriteArrayList<>();

	private final ScheduledExecutorService executor = Executors
		.newSingleThreadScheduledExecutor(DaemonThreads.named("rabbit-retry-stop"));

	public synchronized void add(Runnable look) {
		if (this.looks.isEmpty()) {
			this.executor.scheduleWithFixedDelay(this::look, PERIOD, PERIOD, TimeUnit.MILLISECONDS);
		}
		this.looks.add(look);
	}

	private void look() {
		for (Runnable look : this.looks) {
			try {
				look.run();
			}
			catch (Throwable ex) {
				BestEffortLog.error(logger, "A container that stops, or is to be paused, can't be looked after", ex);
			}
		}
	}

	public void close() {
		this.executor.shutdownNow();
	}

}
