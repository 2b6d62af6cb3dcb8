/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * How long a message waits to be published again, longer each time. Guarded by the
 * message.
 */
final class PublicationBackoff {

	private static final long FIRST = TimeUnit.MILLISECONDS.toNanos(100);

	private static final long LAST = TimeUnit.SECONDS.toNanos(5);

	/** For a message that the broker refused when it was alone. */
	private static final long FIRST_ALONE = TimeUnit.SECONDS.toNanos(30);

	/** For messages that are refused alone, or not confirmed. */
	private static final long LONGEST = TimeUnit.MINUTES.toNanos(10);

	private long next = FIRST;

	private int refusals;

	private int timeouts;

	/**
	 * The wait after a failure.
	 * @param why why it failed
	 * @param alone whether the message was published alone
	 * @param confirmTimeout how long a confirm was waited for, in nanoseconds
	 * @return nanoseconds
	 */
	long after(PublicationFailure why, boolean alone, long confirmTimeout) {
		if (why == PublicationFailure.TIMED_OUT) {
			return Math.max(grown(), grown(confirmTimeout, this.timeouts++));
		}
		if (alone && why.ofTheExchange()) {
			this.refusals++;
			return grown();
		}
		if (why == PublicationFailure.SUSPECT) {
			return alone ? afterRefusal() : 0;
		}
		return grown();
	}

	private long afterRefusal() {
		long delay = grown(FIRST_ALONE, this.refusals++);
		return (long) (delay * ThreadLocalRandom.current().nextDouble(0.75, 1.25));
	}

	private long grown() {
		long delay = this.next;
		this.next = Math.min(2 * this.next, LAST);
		return delay;
	}

	private static long grown(long first, int times) {
		return Math.min(first << Math.min(times, 16), Math.max(first, LONGEST));
	}

	/**
	 * Whether the broker refused the message when it was alone.
	 * @return {@code true} if it did at least once
	 */
	boolean refusedAlone() {
		return this.refusals > 0;
	}

}
