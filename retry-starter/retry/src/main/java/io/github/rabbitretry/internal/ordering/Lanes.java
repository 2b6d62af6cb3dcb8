/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.ordering;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import io.github.rabbitretry.internal.logging.BestEffortLog;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Does tasks of the same key one after the other, in the order in which they came, and
 * those of different keys at once, as far as there are threads. There is a lane for each
 * key that has tasks, and no other.
 * <p>
 * A lane outlives the channel that its tasks came through: a message that is delivered
 * anew waits until the handler has returned that was called for it before.
 */
final class Lanes {

	private static final Log logger = LogFactory.getLog(Lanes.class);

	/** After a defect, so that the tasks behind it do not overtake. */
	private static final Duration ONCE_MORE = Duration.ofSeconds(1);

	private final Threads threads;

	/** Guarded by this. */
	private final Map<String, Lane> lanes = new HashMap<>();

	/**
	 * Creates lanes without tasks.
	 * @param threads do the tasks
	 */
	Lanes(Threads threads) {
		this.threads = threads;
	}

	/**
	 * Adds a task behind all others of its key.
	 * @param key the key
	 * @param task the task
	 */
	public synchronized void add(String key, HeldTask task) {
		Lane lane = this.lanes.get(key);
		if (lane == null) {
			lane = new Lane(key);
			// in this order: no lane is empty
			lane.tasks.add(task);
			this.lanes.put(key, lane);
			lane.scheduleIn(Duration.ZERO);
		}
		else {
			lane.tasks.add(task);
		}
	}

	/** Wakes the lanes that wait for a task that has nothing to wait for any more. */
	public synchronized void wake() {
		for (Lane lane : List.copyOf(this.lanes.values())) {
			lane.wakeIfOver();
		}
	}

	/**
	 * How many lanes there are.
	 * @return a number
	 */
	public synchronized int size() {
		return this.lanes.size();
	}

	/** Do the tasks, as an executor does. */
	@FunctionalInterface
	public interface Threads {

		/**
		 * Runs something once.
		 * @param step what to run
		 * @param delay after which time
		 * @param unit the delay's
		 * @return can be cancelled until it runs
		 */
		Future<?> schedule(Runnable step, long delay, TimeUnit unit);

	}

	/** Of one key. Its state is guarded by the lanes. */
	private final class Lane {

		private final String key;

		private final Deque<HeldTask> tasks = new ArrayDeque<>();

		/** The next step, or {@code null} while one is made. */
		private @Nullable Future<?> next;

		private boolean stepping;

		/** A step that is cancelled as it begins runs all the same. */
		private long number;

		Lane(String key) {
			this.key = key;
		}

		void run(long step) {
			HeldTask task;
			synchronized (Lanes.this) {
				if (step != this.number) {
					return;
				}
				this.next = null;
				this.stepping = true;
				task = this.tasks.element();
			}
			Duration wait = step(task);
			synchronized (Lanes.this) {
				this.stepping = false;
				if (wait != null) {
					scheduleIn(task.over() ? Duration.ZERO : wait);
					return;
				}
				this.tasks.remove();
				if (this.tasks.isEmpty()) {
					Lanes.this.lanes.remove(this.key);
				}
				else {
					scheduleIn(Duration.ZERO);
				}
			}
		}

		private static @Nullable Duration step(HeldTask task) {
			try {
				return task.step();
			}
			catch (Throwable ex) {
				BestEffortLog.error(logger, "A message that is kept in order could not be dealt with", ex);
				return ONCE_MORE;
			}
		}

		void scheduleIn(Duration wait) {
			try {
				long step = ++this.number;
				this.next = Lanes.this.threads.schedule(() -> run(step), wait.toNanos(), TimeUnit.NANOSECONDS);
			}
			catch (RejectedExecutionException ex) {
				logger.debug("The lanes are closed", ex);
			}
		}

		void wakeIfOver() {
			HeldTask task = this.tasks.peek();
			if (this.next == null && !this.stepping) {
				// it could not be scheduled, for want of memory perhaps
				scheduleIn(Duration.ZERO);
			}
			else if (this.next != null && task != null && task.over()) {
				this.next.cancel(false);
				scheduleIn(Duration.ZERO);
			}
		}

	}

}
