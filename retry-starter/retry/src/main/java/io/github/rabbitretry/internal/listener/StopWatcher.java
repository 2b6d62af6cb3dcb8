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

import io.github.rabbitretry.internal.event.BestEffortLog;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Watches for containers that stop while a listener goes on for long: before the
 * container closes the channel, what is prefetched behind that listener is given back.
 */
final class StopWatcher {

	private static final Log logger = LogFactory.getLog(StopWatcher.class);

	private static final long PERIOD = 100;

	private final List<ManagedContainer> containers = new CopyOnWriteArrayList<>();

	private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor((task) -> {
		Thread thread = new Thread(task, "rabbit-retry-stop");
		thread.setDaemon(true);
		return thread;
	});

	synchronized void add(ManagedContainer container) {
		if (this.containers.isEmpty()) {
			this.executor.scheduleWithFixedDelay(this::look, PERIOD, PERIOD, TimeUnit.MILLISECONDS);
		}
		this.containers.add(container);
	}

	private void look() {
		for (ManagedContainer container : this.containers) {
			try {
				container.giveBackOverdue();
			}
			catch (Throwable ex) {
				BestEffortLog.error(logger, "The deliveries of a container that stops can't be given back", ex);
			}
		}
	}

	void close() {
		this.executor.shutdownNow();
	}

}
