/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.handover;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The end of the time that a stop may wait, the same for all who ask during one stop. Who
 * asks long after it begins another stop.
 */
final class StopDeadline {

	private static final long ONE_STOP = TimeUnit.MINUTES.toNanos(1);

	private final long timeout;

	private long deadline;

	private boolean asked;

	StopDeadline(Duration timeout) {
		this.timeout = timeout.toNanos();
	}

	synchronized long deadline() {
		long now = System.nanoTime();
		if (!this.asked || now - this.deadline > ONE_STOP) {
			this.asked = true;
			this.deadline = now + this.timeout;
		}
		return this.deadline;
	}

}
