/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.failure;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

import io.github.rabbitretry.internal.thread.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Writes the first ten of equal lines at once, so that the attempts of a message can be
 * followed, counts the next ones for a while, and then writes their number, also if there
 * are no others any more.
 */
final class RepeatedLines implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(RepeatedLines.class);

	/** Lines that are distinguished; what is new beyond that counts as one. */
	private static final int MOST = 1000;

	private static final int WRITTEN_AT_ONCE = 10;

	private static final String OTHERS = "others";

	private final long quiet;

	private final Map<String, Window> windows = new ConcurrentHashMap<>();

	private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1,
			DaemonThreads.named("rabbit-retry-log"));

	RepeatedLines(Duration quiet) {
		this.quiet = quiet.toNanos();
		this.executor.setKeepAliveTime(10, TimeUnit.SECONDS);
		this.executor.allowCoreThreadTimeOut(true);
	}

	/**
	 * Writes or counts a line.
	 * @param key equal for lines that say the same
	 * @param line writes the line
	 * @param repeated writes how many more there were
	 */
	void write(String key, Runnable line, LongConsumer repeated) {
		String name = (this.windows.size() < MOST || this.windows.containsKey(key)) ? key : OTHERS;
		Window next = new Window(System.nanoTime() + this.quiet);
		Window before = this.windows.get(name);
		if (before != null && next.until - before.until >= this.quiet) {
			end(name, before);
		}
		if (this.windows.merge(name, next, (current, another) -> current.add(another, repeated)) == next) {
			schedule(name, next);
		}
		if (next.isWritten) {
			line.run();
		}
	}

	private void end(String name, Window window) {
		if (this.windows.remove(name, window) && window.repeated != null) {
			window.repeated.accept(window.more);
		}
	}

	private void schedule(String name, Window window) {
		try {
			this.executor.schedule(() -> end(name, window), this.quiet, TimeUnit.NANOSECONDS);
		}
		catch (RejectedExecutionException ex) {
			// closed: the next line of this window writes the number
			logger.debug("Repeated lines can't be counted to their end", ex);
		}
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
		this.windows.forEach(this::end);
	}

	/**
	 * From the first of equal lines on. Counted only while it is in the map, whose
	 * entries are changed by one thread at a time.
	 */
	private static final class Window {

		private final long until;

		private boolean isWritten = true;

		private int written = 1;

		private long more;

		private @Nullable LongConsumer repeated;

		Window(long until) {
			this.until = until;
		}

		Window add(Window another, LongConsumer writer) {
			another.isWritten = this.written < WRITTEN_AT_ONCE;
			if (another.isWritten) {
				this.written++;
			}
			else {
				this.more++;
				this.repeated = writer;
			}
			return this;
		}

	}

}
