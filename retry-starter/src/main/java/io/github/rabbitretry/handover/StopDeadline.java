/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.handover;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The time that a stop may take, the same for all who ask during one stop: first for the
 * confirms of copies on their way, then for listeners that are still running, the rest to
 * close connections. Who asks long after it begins another stop.
 */
final class StopDeadline {

	private static final long ONE_STOP = TimeUnit.MINUTES.toNanos(1);

	private final Duration timeout;

	private long begun;

	private boolean asked;

	StopDeadline(Duration timeout) {
		this.timeout = timeout;
	}

	/** Until when copies on their way are waited for. */
	long ofHandover() {
		return begun() + this.timeout.multipliedBy(13).dividedBy(20).toNanos();
	}

	/** How long a container waits for its listeners. */
	Duration ofListeners() {
		return this.timeout.dividedBy(4);
	}

	private synchronized long begun() {
		long now = System.nanoTime();
		if (!this.asked || now - this.begun > this.timeout.toNanos() + ONE_STOP) {
			this.asked = true;
			this.begun = now;
		}
		return this.begun;
	}

}
