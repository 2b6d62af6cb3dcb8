/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.logging;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import org.apache.commons.logging.Log;
import org.jspecify.annotations.Nullable;

/**
 * A warning that a flood of bad messages must not turn into a flood of lines: it is
 * logged at most once in a while, with the number of times that it was not.
 */
public final class RateLimitedLog {

	private final Log logger;

	private final long quiet;

	private final AtomicLong quietUntil = new AtomicLong(System.nanoTime());

	private final AtomicLong kept = new AtomicLong();

	/**
	 * Creates the warning.
	 * @param logger where it goes
	 * @param quiet the least time between two of them
	 */
	public RateLimitedLog(Log logger, Duration quiet) {
		this.logger = logger;
		this.quiet = quiet.toNanos();
	}

	/**
	 * Warns, or counts.
	 * @param text the text, asked for only if it is logged
	 */
	public void warn(Supplier<String> text) {
		warn(text, null);
	}

	/**
	 * Warns, or counts.
	 * @param text the text, asked for only if it is logged
	 * @param failure why, with its trace
	 */
	public void warn(Supplier<String> text, @Nullable Throwable failure) {
		long now = System.nanoTime();
		long until = this.quietUntil.get();
		if (until - now > 0 || !this.quietUntil.compareAndSet(until, now + this.quiet)) {
			this.kept.incrementAndGet();
			return;
		}
		long before = this.kept.getAndSet(0);
		String line = (before == 0) ? text.get() : text.get() + " (and %s times before)".formatted(before);
		if (failure != null) {
			this.logger.warn(line, failure);
		}
		else {
			this.logger.warn(line);
		}
	}

	/**
	 * Warns of a failure, or counts, if that is possible: as {@link BestEffortLog} does.
	 * Its trace is logged at the level DEBUG.
	 * @param text what failed
	 * @param failure the failure
	 */
	public void warn(String text, Throwable failure) {
		try {
			warn(() -> text + ": " + failure);
			this.logger.debug(text, failure);
		}
		catch (RuntimeException ex) {
			// its appender throws: there is nowhere to report that
		}
	}

}
