/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.thread;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.github.rabbitretry.internal.logging.BestEffortLog;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * One thread that checks ten times a second what reports no change by itself. It waits
 * for nothing: an action that may has a thread of its own for as long as it takes.
 */
public final class Watchdog implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(Watchdog.class);

	private static final long PERIOD = TimeUnit.MILLISECONDS.toNanos(100);

	/** When an action that failed is tried again. */
	private static final long AGAIN = TimeUnit.SECONDS.toNanos(1);

	private final List<Runnable> checks = new CopyOnWriteArrayList<>();

	private volatile boolean closed;

	/** Creates it and starts its thread. */
	public Watchdog() {
		DaemonThreads.start("rabbit-retry-watchdog", this::run);
	}

	/**
	 * Calls a check ten times a second.
	 * @param check must not wait for anything
	 */
	public void monitor(Runnable check) {
		this.checks.add(() -> attempt(check));
	}

	/**
	 * Calls an action whenever it is due, unless it is running.
	 * @param thread the name of the action's thread
	 * @param due is asked ten times a second, and must not wait for anything
	 * @param action is called again a second after it failed
	 */
	public void monitor(String thread, BooleanSupplier due, Runnable action) {
		monitor(new MonitoredAction(thread, due, action)::startIfDue);
	}

	private void run() {
		while (!this.closed) {
			LockSupport.parkNanos(this, PERIOD);
			// or it would park no more
			Thread.interrupted();
			this.checks.forEach(Runnable::run);
		}
	}

	private static boolean attempt(Runnable task) {
		try {
			task.run();
			return true;
		}
		catch (Throwable ex) {
			// the thread's name is in the log
			BestEffortLog.error(logger, "A monitored action failed, which is tried again", ex);
			return false;
		}
	}

	@Override
	public void close() {
		this.closed = true;
	}

	private static final class MonitoredAction {

		private final String thread;

		private final BooleanSupplier due;

		private final Runnable action;

		private @Nullable Thread last;

		private volatile long notBefore = System.nanoTime();

		MonitoredAction(String thread, BooleanSupplier due, Runnable action) {
			this.thread = thread;
			this.due = due;
			this.action = action;
		}

		void startIfDue() {
			long now = System.nanoTime();
			if ((this.last == null || !this.last.isAlive()) && now - this.notBefore >= 0 && this.due.getAsBoolean()) {
				// if there is no thread for it
				this.notBefore = now + AGAIN;
				this.last = DaemonThreads.start(this.thread, this::run);
			}
		}

		private void run() {
			this.notBefore = System.nanoTime() + (attempt(this.action) ? 0 : AGAIN);
		}

	}

}
